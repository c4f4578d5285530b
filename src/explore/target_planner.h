// explore/target_planner.h
//
// Plans executions under the director that force targets: each target once,
// then once more those that did not happen, with the younger threads first.
// Nothing is learnt about the program; what fails is found by the campaign.

#ifndef FAIRLEAD_EXPLORE_TARGET_PLANNER_H_
#define FAIRLEAD_EXPLORE_TARGET_PLANNER_H_

#include <vector>

#include "explore/planner.h"
#include "finding/target.h"

namespace fairlead::explore {

class TargetPlanner final : public Planner {
 public:
  // Targets that are forced; more would keep the search waiting.
  static constexpr size_t kMaxTargets = 64;
  // Of each target: older threads first, then younger ones.
  static constexpr uint64_t kAttempts = 2;

  TargetPlanner(std::vector<finding::Target> targets, uint64_t seed);

  std::optional<Planned> Next() override;
  void Learn(const Planned& planned, const Observed& observed) override;
  bool exhausted() const override;

  size_t num_tried() const { return num_tried_; }  // targets
  size_t num_realised() const { return num_realised_; }

 private:
  // One attempt after the other; Planned::arm is an index of targets_.
  enum class State { kOpen, kUnderWay, kRealised };
  struct Entry {
    finding::Target target;
    uint64_t attempts = 0;  // planned so far
    State state = State::kOpen;
  };

  std::vector<Entry> targets_;
  uint64_t seed_;
  uint64_t number_ = 0;
  size_t num_tried_ = 0;
  size_t num_realised_ = 0;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_TARGET_PLANNER_H_
