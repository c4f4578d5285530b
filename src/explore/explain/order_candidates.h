// explore/explain/order_candidates.h
//
// Orders of two events that could be why an execution failed: it had them, and
// executions that did not fail had them the other way round. Of an event that
// never came in the one that failed, the other one was first. What all
// executions have that failed in this way says the most; then, the more of the
// others had it the other way round; then the program's own code before a
// library's, memory before primitives, late before early.

#ifndef FAIRLEAD_EXPLORE_EXPLAIN_ORDER_CANDIDATES_H_
#define FAIRLEAD_EXPLORE_EXPLAIN_ORDER_CANDIDATES_H_

#include <vector>

#include "explore/explain/ordered_events.h"
#include "finding/explanation.h"

namespace fairlead::explore {

struct OrderCandidate {
  EventKey before;
  EventKey after;
  size_t kept = 0;      // by so many of the others that failed
  size_t reversed = 0;  // in so many of those that did not fail
  // Bits by their number: those that did not have it, reversed or not at all.
  // What is enough is a set of orders of which each of them lacks one.
  uint64_t lacking = 0;
};

struct CommonOrder {
  OrderCandidate order;
  bool needed;
};

// At most so many executions can be compared.
inline constexpr size_t kMostCompared = 64;

// What is compared with the execution that failed.
struct Compared {
  std::vector<OrderedEvents> passed = {};  // or failed in another way
  std::vector<OrderedEvents> alike = {};   // failed in the same way
};

// At most `limit`, the most telling first; of those that so many of the others
// had the other way round.
std::vector<OrderCandidate> CandidatesOf(const OrderedEvents& failed,
                                         const Compared& others, size_t limit,
                                         size_t least_reversed = 1);

// What is known of the event's kind: an access to memory of the program's own
// code, rather than a primitive's or a library's.
bool IsOwnAccess(const EventKey& key, const OrderedEvents& failed,
                 const Compared& others);

// `orders` as a target of kind `orders`, with what makes each step known again,
// and `common` beside its edges. Roles of threads are
// their paths, so that each step is one event. Events are known from `failed`,
// or one of the others.
finding::Ordering OrderingOf(const std::vector<OrderCandidate>& orders,
                             const OrderedEvents& failed,
                             const Compared& others,
                             const std::vector<CommonOrder>& common = {});

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_EXPLAIN_ORDER_CANDIDATES_H_
