// analysis/conmem/before.h
//
// What threads knew before the event at hand, in the weak order. A read that
// finds a pointer to a block unknown to its thread is ordered behind the write
// (order/custom_sync.h); whether it could have come before that write is a
// question to what was known ahead of it.

#ifndef FAIRLEAD_ANALYSIS_CONMEM_BEFORE_H_
#define FAIRLEAD_ANALYSIS_CONMEM_BEFORE_H_

#include <memory>
#include <vector>

#include "order/model.h"

namespace fairlead::analysis::conmem {

using KnownBefore = std::shared_ptr<const order::VectorClock>;

class Before {
 public:
  // What the thread knew after its last event; of its first one, what it knows
  // now. The thread's own entry may be behind.
  const KnownBefore& Of(trace::Tid tid, order::Model& order) {
    KnownBefore& known = Entry(tid);
    if (known == nullptr) known = order.weak().SnapshotOf(tid);
    return known;
  }
  // The event is over.
  void Done(trace::Tid tid, order::Model& order) {
    KnownBefore& known = Entry(tid);
    if (known == nullptr || known.get() != order.weak().KnownSnapshotOf(tid)) {
      known = order.weak().SnapshotOf(tid);
    }
  }

 private:
  KnownBefore& Entry(trace::Tid tid) {
    const size_t index = abi::Index(tid);
    if (index >= known_.size()) known_.resize(index + 1);
    return known_[index];
  }
  std::vector<KnownBefore> known_;  // by Tid; null = nothing yet
};

}  // namespace fairlead::analysis::conmem

#endif  // FAIRLEAD_ANALYSIS_CONMEM_BEFORE_H_
