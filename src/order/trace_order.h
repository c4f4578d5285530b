// order/trace_order.h
//
// The order of a whole trace, for questions about any two of its events: for
// tests, fixtures and reports. Analyses read events once and use
// order/happens_before.h.

#ifndef FAIRLEAD_ORDER_TRACE_ORDER_H_
#define FAIRLEAD_ORDER_TRACE_ORDER_H_

#include <map>
#include <vector>

#include "order/edge_set.h"
#include "order/vector_clock.h"
#include "trace/trace.h"

namespace fairlead::order {

class TraceOrder {
 public:
  // Keeps nothing of `trace`. Time and memory: events times threads.
  TraceOrder(const trace::Trace& trace, EdgeSet edges);

  // Whether the one is ordered before the other. Both are events of the trace.
  bool Before(const trace::Event& one, const trace::Event& other) const;

 private:
  struct Entry {
    Epoch epoch;
    VectorClock clock;
  };
  std::map<uint64_t, Entry> entries_;  // by seq
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_TRACE_ORDER_H_
