// The order model by its definition: edges between events, found by looking at
// all pairs, and then everything that can be reached. Cubic and more, and meant
// to be read next to the table in order/happens_before.h.

#ifndef FAIRLEAD_TESTS_ORDER_DEFINITION_H_
#define FAIRLEAD_TESTS_ORDER_DEFINITION_H_

#include <vector>

#include "order/edge_set.h"
#include "trace/trace.h"

namespace fairlead::order {

class Definition {
 public:
  Definition(const trace::Trace& trace, EdgeSet edges);
  // By index into the trace's events.
  bool Before(size_t one, size_t other) const { return reach_[one][other]; }

 private:
  std::vector<std::vector<bool>> reach_;
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_TESTS_ORDER_DEFINITION_H_
