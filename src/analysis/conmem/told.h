// analysis/conmem/told.h
//
// What a thread has learnt from another by reading what that wrote: a flag, a
// count, a state, under a lock or not. That may be why it went on as it did, so
// an error that needs the other order is less likely. It is no order that other
// schedules must keep, and so no part of order/.
//
// Direct only: what a third thread has passed on does not count.

#ifndef FAIRLEAD_ANALYSIS_CONMEM_TOLD_H_
#define FAIRLEAD_ANALYSIS_CONMEM_TOLD_H_

#include <cstdint>
#include <vector>

#include "order/model.h"

namespace fairlead::analysis::conmem {

class Told {
 public:
  // For every access, and every other event.
  void OnAccess(const trace::Event& event, const order::Model& order);
  void OnOther(const order::Model& order) {
    written_.Forget(order.variables(), [](uint64_t, Written&) {});
  }

  // Whether `reader` has read something that `writer` wrote at or after `seq`.
  bool Knows(trace::Tid reader, trace::Tid writer, uint64_t seq) const {
    const size_t from = abi::Index(reader);
    const size_t to = abi::Index(writer);
    return from < seen_.size() && to < seen_[from].size() &&
           seen_[from][to] >= seq;
  }

 private:
  struct Written {
    uint64_t seq = 0;  // 0 = not known
    trace::Tid tid = trace::Tid::kNone;
  };

  order::VariableStates<Written> written_;
  // By reader and writer: seq of the last write that was read; 0 = none.
  std::vector<std::vector<uint64_t>> seen_;
};

inline void Told::OnAccess(const trace::Event& event,
                           const order::Model& order) {
  const bool reads = order::Reads(order.kind()) && !order::IsAtomic(event);
  const bool writes = order::Writes(order.kind());
  written_.Touch(order.variables(), [&](uint64_t, Written& last) {
    if (reads && last.seq != 0 && last.tid != event.tid) {
      const size_t reader = abi::Index(event.tid);
      const size_t writer = abi::Index(last.tid);
      if (reader >= seen_.size()) seen_.resize(reader + 1);
      std::vector<uint64_t>& seen = seen_[reader];
      if (writer >= seen.size()) seen.resize(writer + 1);
      if (seen[writer] < last.seq) seen[writer] = last.seq;
    }
    if (writes) last = {event.seq, event.tid};
  });
}

}  // namespace fairlead::analysis::conmem

#endif  // FAIRLEAD_ANALYSIS_CONMEM_TOLD_H_
