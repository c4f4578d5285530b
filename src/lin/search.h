// lin/search.h
//
// Is there an order of a history's operations that keeps their order in time
// and that a model allows? Just-in-time linearization (Lowe, Testing for
// linearizability, 2017), depth first: events are passed in the order of time,
// and an operation is put into the order no later than at its end, after others
// that have begun. A configuration is an event, the set of operations under way
// that are in the order already, and a state; none is looked at twice.
//
// Differs from the paper: depth first, so that a history with an order is
// usually done in one pass; an operation that fits and can be in nobody's way
// later (one that only looks, for instance) is taken at once; of equal ones
// that never end only the first is tried.
//
// Exact as long as the budget lasts; then *unknown*.

#ifndef FAIRLEAD_LIN_SEARCH_H_
#define FAIRLEAD_LIN_SEARCH_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "lin/model.h"
#include "lin/operation.h"

namespace fairlead::lin {

enum class Verdict : uint8_t { kYes, kNo, kUnknown };

// What the search may use. It is asked for after every few thousand
// configurations.
struct Budget {
  size_t max_bytes = size_t{1} << 30;  // of memory for configurations
  std::function<bool()> is_over = [] { return false; };
};

struct Linearization {
  Verdict verdict = Verdict::kUnknown;
  // Indices into the history. For kYes an order of all operations that took
  // effect; else the longest that was found.
  std::vector<uint32_t> order = {};
  // For kNo, and kUnknown: the operation at whose end no order went on.
  uint32_t stuck = 0;
  uint64_t num_configurations = 0;
  bool out_of_memory = false;  // why it is kUnknown
};

Linearization Search(const History& history, Model& model,
                     const Budget& budget);

}  // namespace fairlead::lin

#endif  // FAIRLEAD_LIN_SEARCH_H_
