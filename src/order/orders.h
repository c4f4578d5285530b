// order/orders.h
//
// The orders of one execution, each computed once however many ask for it.
// Analyses that read the same stream ask for sets of edges before its first
// event, and hand every event to what they got; whoever comes first with an
// event has it consumed.
//
//   Orders orders;                                    one for each stream
//   std::shared_ptr<SharedOrder> weak = orders.Of(kWithoutLocks);
//   …
//   const Epoch stamp = weak->OnEvent(event);         each of the users

#ifndef FAIRLEAD_ORDER_ORDERS_H_
#define FAIRLEAD_ORDER_ORDERS_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "order/edge_set.h"
#include "order/happens_before.h"

namespace fairlead::order {

// A happens-before order that several users read. All of them have done with an
// event before any of them hands over the next, and sequence numbers ascend.
class SharedOrder {
 public:
  explicit SharedOrder(EdgeSet edges) : order_(edges) {}

  // Consumes the event, unless another user has, and gives its stamp. A user
  // may leave out accesses that are not atomic, if none of `edges` comes from
  // them.
  Epoch OnEvent(const Event& event) {
    return Once(event, [&] { return order_.OnEvent(event); });
  }
  // The same for an access of this kind that is not atomic.
  Epoch OnPlainAccess(const Event& event, AccessKind kind) {
    return Once(event, [&] { return order_.OnPlainAccess(event, kind); });
  }

  // After the event.
  HappensBefore& order() { return order_; }

  // Before the first event: there is another user.
  void Share() { shared_ = true; }

 private:
  template <typename Consume>
  Epoch Once(const Event& event, Consume consume) {
    if (shared_) {
      if (event.seq == seq_) return stamp_;
      seq_ = event.seq;
    }
    return stamp_ = consume();
  }

  HappensBefore order_;
  bool shared_ = false;
  uint64_t seq_ = ~uint64_t{0};  // of the event consumed last
  Epoch stamp_;                  // of it
};

class Orders {
 public:
  // The order of these edges; the same for all who ask.
  std::shared_ptr<SharedOrder> Of(EdgeSet edges) {
    for (const auto& [known, order] : orders_) {
      if (known != edges) continue;
      order->Share();
      return order;
    }
    orders_.emplace_back(edges, std::make_shared<SharedOrder>(edges));
    return orders_.back().second;
  }

  // How many are computed.
  size_t size() const { return orders_.size(); }

 private:
  std::vector<std::pair<EdgeSet, std::shared_ptr<SharedOrder>>> orders_;
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_ORDERS_H_
