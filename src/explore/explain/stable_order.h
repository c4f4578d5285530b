// explore/explain/stable_order.h
//
// Sorts and keeps equal elements in their order. The standard library's own
// needs a temporary buffer by means that it has deprecated.

#ifndef FAIRLEAD_EXPLORE_EXPLAIN_STABLE_ORDER_H_
#define FAIRLEAD_EXPLORE_EXPLAIN_STABLE_ORDER_H_

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace fairlead::explore {

template <typename T, typename Less>
void SortStably(std::vector<T>& list, Less less) {
  std::vector<size_t> order(list.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, [&](size_t a, size_t b) {
    if (less(list[a], list[b])) return true;
    if (less(list[b], list[a])) return false;
    return a < b;
  });
  std::vector<T> sorted;
  sorted.reserve(list.size());
  for (const size_t i : order) sorted.push_back(std::move(list[i]));
  list = std::move(sorted);
}

// By what `key` gives for each, ascending.
template <typename T, typename Key>
void SortStablyBy(std::vector<T>& list, Key key) {
  SortStably(list, [&](const T& a, const T& b) { return key(a) < key(b); });
}

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_EXPLAIN_STABLE_ORDER_H_
