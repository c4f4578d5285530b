// explore/plan/target_planner.h
//
// Plans executions under the director that force targets: each target once,
// then once more those that did not happen, with the younger threads first.
// Where a step never came in both, further attempts have preconditions
// (explore/aim/approach.h), derived from the execution that foretold the target
// and from the attempts. Nothing else is learnt about the program; what fails
// is found by the campaign.

#ifndef FAIRLEAD_EXPLORE_PLAN_TARGET_PLANNER_H_
#define FAIRLEAD_EXPLORE_PLAN_TARGET_PLANNER_H_

#include <string>
#include <vector>

#include "explore/aim/approach.h"
#include "explore/plan/planner.h"
#include "explore/watch/prediction_observer.h"
#include "finding/target.h"

namespace fairlead::explore {

// A target, and what is known of it for people and for its approach.
struct Foretold {
  finding::Target target;
  std::vector<std::string> functions = {};  // by step; "" = not known
  std::string sentence = {};
};

// As of an execution that was analysed.
std::vector<Foretold> ForetoldBy(Predicted predicted);

class TargetPlanner final : public Planner {
 public:
  // Targets that are forced; more would keep the search waiting.
  static constexpr size_t kMaxTargets = 64;
  // With preconditions. Six attempts in all, as of `fairlead force`, would keep
  // the search waiting where many steps cannot come.
  static constexpr uint64_t kPreparedAttempts = 2;

  // `reference` is the execution that foretold them; null = not known.
  TargetPlanner(std::vector<Foretold> targets, uint64_t seed,
                SeenPointer reference = nullptr);

  std::optional<Planned> Next() override;
  void Learn(const Planned& planned, const Observed& observed) override;
  bool exhausted() const override;

  size_t num_tried() const { return num_tried_; }  // targets
  size_t num_realised() const { return num_realised_; }
  // Those of them that happened and made nothing fail, in words.
  std::vector<std::string> Harmless() const;

 private:
  // One attempt after the other; Planned::arm is an index of targets_.
  enum class State {
    kOpen,
    kUnderWay,
    kHarmless,  // it happened, and nothing failed
    kFailed,    // it made the program fail
    kGivenUp,
  };
  struct Entry {
    Approach approach;
    std::string sentence;
    uint64_t attempts = 0;  // planned so far
    State state = State::kOpen;
    std::vector<size_t> own = {};  // of the attempt under way: Prepared::own
  };

  // The target as its next attempt is to have it; none = it is given up.
  static std::optional<Prepared> Prepare(Entry& entry);

  std::vector<Entry> targets_;
  uint64_t seed_;
  uint64_t number_ = 0;
  size_t num_tried_ = 0;
  size_t num_realised_ = 0;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_PLAN_TARGET_PLANNER_H_
