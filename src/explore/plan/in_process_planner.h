// explore/plan/in_process_planner.h
//
// For a program that calls fairlead::explore(): turns most executions of
// another planner into batches, in which every such call repeats its closure
// under one schedule after the other (runtime/model/explore.h). Batches grow
// until one takes about a tenth of a second, so that starting a process does
// not matter, and the end of the campaign is not far.
//
// Executions that follow a prefix, are profiled, or tell their points stay as
// they are, and so does one now and then: only there it is counted which thread
// does what.

#ifndef FAIRLEAD_EXPLORE_PLAN_IN_PROCESS_PLANNER_H_
#define FAIRLEAD_EXPLORE_PLAN_IN_PROCESS_PLANNER_H_

#include <map>

#include "explore/plan/planner.h"

namespace fairlead::explore {

class InProcessPlanner final : public Planner {
 public:
  // `inner` must outlive it.
  explicit InProcessPlanner(Planner& inner) : inner_(inner) {}

  std::optional<Planned> Next() override;
  void Learn(const Planned& planned, const Observed& observed) override;
  bool exhausted() const override { return finished_ || inner_.exhausted(); }
  uint64_t num_behaviours() const override { return inner_.num_behaviours(); }
  std::vector<Share> shares() const override;
  std::string Remark() const override;

 private:
  Planner& inner_;
  uint64_t batch_ = 1000;  // closures of each call in the next one
  uint64_t done_ = 0;      // of each call, in batches so far
  bool finished_ = false;  // no call asks for more
  bool possible_ = true;   // closures can be repeated at all
  std::map<std::string, Share> shares_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_PLAN_IN_PROCESS_PLANNER_H_
