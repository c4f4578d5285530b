// order/lock_graph.h
//
// The lock-order graph: an arc for every time a thread asked for a lock while
// it held another, condensed to what differs in thread, locks, modes, places or
// the other locks held. Cycles of arcs of different threads are what deadlocks
// are made of (Goodlock: Havelund, SPIN 2000; iGoodlock: Joshi, Park, Sen and
// Naik, PLDI 2009).
//
// Unsound: waiting readers behind a waiting writer are not modelled; at most
// kMaxArcs arcs are kept, and kMaxSearchInAll are looked at.

#ifndef FAIRLEAD_ORDER_LOCK_GRAPH_H_
#define FAIRLEAD_ORDER_LOCK_GRAPH_H_

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "order/access.h"
#include "order/model.h"

namespace fairlead::order {

class LockGraph {
 public:
  static constexpr size_t kMaxArcs = 100'000;
  static constexpr size_t kMaxCycle = 8;  // arcs; a target has two steps each

  struct Arc {
    Tid tid = Tid::kNone;
    uint64_t held = 0;    // address
    uint64_t wanted = 0;  // address
    LockMode held_mode = LockMode::kExclusive;
    LockMode wanted_mode = LockMode::kExclusive;
    LocksetId gates = LocksetId::kEmpty;      // all locks held when asking
    Spot took;                                // where `held` was taken
    Spot asked;                               // where `wanted` was asked for
    Epoch epoch;                              // when asking
    std::shared_ptr<const VectorClock> knew;  // what was known when taking
  };
  // A cycle: the thread of each arc waits for what the next one holds.
  using Cycle = std::vector<const Arc*>;

  // Consumes the next event, which `order` has consumed already. Calls `found`
  // for every cycle that this event closes: no thread twice, no lock twice, no
  // gate that keeps two of them apart, and no two of them ordered. Stops after
  // `kMaxSearch` arcs.
  template <typename Report>
  void OnEvent(const Event& event, Model& order, Report found) {
    if (AccessOf(event) == AccessKind::kNone) OnOther(event, order, found);
  }

  size_t num_arcs() const { return arcs_.size(); }

 private:
  // Arcs looked at for one event: a graph of thousands of locks that everybody
  // takes in every order must not take hours.
  static constexpr size_t kMaxSearch = 20'000;
  // … and for all events together: about a second.
  static constexpr size_t kMaxSearchInAll = 20'000'000;

  struct Holding {
    uint64_t lock;
    Spot spot;
    std::shared_ptr<const VectorClock> knew;
  };

  using Found = std::function<void(const Cycle&)>;

  void OnOther(const Event& event, Model& order, const Found& found);
  void Ask(const Event& event, Model& order, const Found& found);
  void Remember(const Event& event, Model& order);
  const Holding* HoldingOf(Tid tid, uint64_t lock) const;
  const Arc* AddArc(Arc arc);
  void Search(Cycle& path, size_t& budget, Locksets& locks, const Found& found);
  static bool Fits(const Cycle& path, const Arc& next, Locksets& locks);
  static bool Ordered(const Arc& one, const Arc& other);

  std::vector<std::vector<Holding>> holdings_;  // by thread
  std::vector<std::unique_ptr<Arc>> arcs_;
  std::unordered_map<uint64_t, std::vector<Arc*>> by_held_;  // by lock
  std::unordered_multimap<uint64_t, Arc*> by_digest_;
  size_t left_to_search_ = kMaxSearchInAll;
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_LOCK_GRAPH_H_
