// explore/explain/order_candidates.h
//
// Orders of two events that could be why an execution failed: it had them, and
// executions that did not fail had them the other way round. Of an event that
// never came in the one that failed, the other one was first. The more of the
// others had it the other way round, the more it says; then the program's own
// code before a library's, memory before primitives, late before early.

#ifndef FAIRLEAD_EXPLORE_EXPLAIN_ORDER_CANDIDATES_H_
#define FAIRLEAD_EXPLORE_EXPLAIN_ORDER_CANDIDATES_H_

#include <vector>

#include "explore/explain/ordered_events.h"
#include "finding/explanation.h"

namespace fairlead::explore {

struct OrderCandidate {
  EventKey before;
  EventKey after;
  size_t reversed = 0;  // in so many of those that did not fail
  // Bits by their number: those that did not have it, reversed or not at all.
  // What is enough is a set of orders of which each of them lacks one.
  uint64_t lacking = 0;
};

// At most so many executions can be compared.
inline constexpr size_t kMostCompared = 64;

// At most `limit`, the most telling first.
std::vector<OrderCandidate> CandidatesOf(
    const OrderedEvents& failed, const std::vector<OrderedEvents>& passed,
    size_t limit);

// `orders` as a target of kind `orders`, with what makes each step known again.
// Roles of threads are letters by their first appearance. Events are known from
// `failed`, or one of `passed`.
finding::Ordering OrderingOf(const std::vector<OrderCandidate>& orders,
                             const OrderedEvents& failed,
                             const std::vector<OrderedEvents>& passed);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_EXPLAIN_ORDER_CANDIDATES_H_
