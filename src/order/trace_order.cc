#include "order/trace_order.h"

#include "order/happens_before.h"

namespace fairlead::order {

TraceOrder::TraceOrder(const trace::Trace& trace, EdgeSet edges) {
  HappensBefore order(edges);
  for (const trace::Event& event : trace.events) {
    const Epoch epoch = order.OnEvent(event);
    entries_[event.seq] = {epoch, order.ClockOf(event.tid)};
  }
}

bool TraceOrder::Before(const trace::Event& one,
                        const trace::Event& other) const {
  if (one.seq >= other.seq) return false;
  if (one.tid == other.tid) return true;
  return entries_.at(other.seq).clock.Covers(entries_.at(one.seq).epoch);
}

}  // namespace fairlead::order
