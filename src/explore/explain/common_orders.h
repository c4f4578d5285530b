// explore/explain/common_orders.h
//
// What failures of one way have in common: what is enough often names some
// events of many that go together, and a fix forbids others of them. So besides
// the orders that are enough those are kept that every execution had that
// failed with these forced. Of the most telling ones it is tried whether any
// fails with the order reversed, alone or beside those that are enough; if none
// does, it is needed. What is enough counts as needed, as less was not enough.
//
// Unsound: that none failed without an order of those that were tried does not
// mean that none can.

#ifndef FAIRLEAD_EXPLORE_EXPLAIN_COMMON_ORDERS_H_
#define FAIRLEAD_EXPLORE_EXPLAIN_COMMON_ORDERS_H_

#include <vector>

#include "explore/explain/order_candidates.h"
#include "explore/explain/trials.h"

namespace fairlead::explore {

// `enough` is what `ordering` was made of; steps and what is common are added
// to it.
Status AddCommon(Trials& trials, const OrderedEvents& failed, Compared& others,
                 const std::vector<OrderCandidate>& enough,
                 finding::Ordering& ordering);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_EXPLAIN_COMMON_ORDERS_H_
