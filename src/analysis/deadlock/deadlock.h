// analysis/deadlock/deadlock.h
//
// Deadlocks that another schedule could run into: cycles in the lock-order
// graph (order/lock_graph.h) of 2 to 8 threads. The target brings every thread
// to hold its lock before any of them asks for the next.
//
// Incomplete: whether all threads can be there at the same time may also depend
// on values, which are not looked at. Forcing tells.

#ifndef FAIRLEAD_ANALYSIS_DEADLOCK_DEADLOCK_H_
#define FAIRLEAD_ANALYSIS_DEADLOCK_DEADLOCK_H_

#include <set>
#include <vector>

#include "analysis/analysis.h"
#include "order/lock_graph.h"

namespace fairlead::analysis {

class Deadlock final : public Analysis {
 public:
  std::string_view name() const override { return "deadlock"; }
  void OnOther(const trace::Event& event, order::Model& order,
               PredictionSink& out) override;
  bool WantsAccesses() const override { return false; }

 private:
  void Report(const order::LockGraph::Cycle& cycle, PredictionSink& out);

  order::LockGraph graph_;
  // Cycles by their places, from the smallest on.
  std::set<std::vector<uint64_t>> reported_;
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_DEADLOCK_DEADLOCK_H_
