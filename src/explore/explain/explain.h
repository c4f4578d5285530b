// explore/explain/explain.h
//
// All that explains a finding, in one go: its schedule made small and verified
// on both carriers, the events that matter of the small one, and the orders
// that are enough.

#ifndef FAIRLEAD_EXPLORE_EXPLAIN_EXPLAIN_H_
#define FAIRLEAD_EXPLORE_EXPLAIN_EXPLAIN_H_

#include "explore/explain/minimise.h"
#include "explore/explain/ordering_search.h"

namespace fairlead::explore {

struct ExplainOptions {
  uint64_t limit = kMostMinimising;  // executions that make it small
  uint64_t verify = 20;              // repetitions on each carrier
  bool orders = true;                // look for the orders that are enough
  OrderingOptions ordering = {};
};

struct Explained {
  finding::Explanation explanation;
  // Why the orders are not there, as a sentence; "" = they are, or were not
  // asked for.
  std::string no_orders;
};

// An error where the schedule cannot be followed well enough, or the small one
// did not fail every time: what there is stays as it is.
Result<Explained> Explain(const Subject& subject,
                          const ExplainOptions& options);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_EXPLAIN_EXPLAIN_H_
