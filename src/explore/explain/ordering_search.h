// explore/explain/ordering_search.h
//
// Finds the few orders that are enough to make a program fail, by trying: the
// director forces them and nothing else, everything else is a random walk.
// Candidates come from what the failing execution and a few that pass disagree
// about (explore/explain/order_candidates.h). First each alone, then pairs that
// lead from one thread to another and back. Then the best so far grows: an
// execution that has all of them and does not fail shows what is missing, an
// order that it lacks and the failing one has. What is not needed is left out
// again. What is said in the end is counted with as many seeds as asked for:
// forced, not forced, each order released, each reversed.
//
// Besides, orders without which it never failed, enough or not: what a fix has
// to forbid one of (explore/explain/forbids.h).
//
// Unsound: that so many random executions fail does not mean that every one
// does.

#ifndef FAIRLEAD_EXPLORE_EXPLAIN_ORDERING_SEARCH_H_
#define FAIRLEAD_EXPLORE_EXPLAIN_ORDERING_SEARCH_H_

#include "explore/explain/trials.h"
#include "finding/explanation.h"
#include "trace/trace.h"

namespace fairlead::explore {

struct OrderingOptions {
  uint64_t seeds = 50;
  uint64_t limit = 6000;  // executions
};

// None where nothing can be said, for the reason `why`: every seed fails, or
// no order makes a difference. `failed` is the trace of the small schedule.
struct SearchedOrdering {
  std::optional<finding::Ordering> ordering;
  std::string why;
};
Result<SearchedOrdering> SearchOrdering(Trials& trials, trace::Trace failed,
                                        const OrderingOptions& options);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_EXPLAIN_ORDERING_SEARCH_H_
