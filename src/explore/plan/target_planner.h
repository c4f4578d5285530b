// explore/plan/target_planner.h
//
// Plans executions under the director that force targets, each by the loop of
// explore/aim/attempts.h: those with the fewest attempts first. Nothing else is
// learnt about the program; what fails is found by the campaign.

#ifndef FAIRLEAD_EXPLORE_PLAN_TARGET_PLANNER_H_
#define FAIRLEAD_EXPLORE_PLAN_TARGET_PLANNER_H_

#include <string>
#include <vector>

#include "explore/aim/attempts.h"
#include "explore/plan/planner.h"
#include "explore/watch/prediction_observer.h"
#include "finding/target.h"

namespace fairlead::explore {

// A target, and what is known of it for people and for its approach.
struct Foretold {
  finding::Target target;
  std::vector<std::string> functions = {};  // by step; "" = not known
  std::string sentence = {};
  finding::Finding finding = {};  // that predicts it
};

// As of an execution that was analysed.
std::vector<Foretold> ForetoldBy(Predicted predicted);

class TargetPlanner final : public Planner {
 public:
  // Targets that are forced; more would keep the search waiting.
  static constexpr size_t kMaxTargets = 64;
  // With preconditions, after those of the target as it is. Six attempts in
  // all, as of `fairlead force`, would keep the search waiting where many steps
  // cannot come.
  static constexpr uint64_t kPreparedAttempts = 2;

  // For a thread that waits at one of several passes over a place. With those
  // of the target as it is, ten.
  static constexpr uint64_t kHeldAttempts = 8;

  // Of data that belongs together: to be realised, and to have an effect.
  static constexpr uint64_t kApartAttempts = 4;

  // `reference` is the execution that foretold them; null = not known.
  TargetPlanner(std::vector<Foretold> targets, uint64_t seed,
                SeenPointer reference = nullptr);

  std::optional<Planned> Next() override;
  void Learn(const Planned& planned, const Observed& observed) override;
  bool exhausted() const override;

  size_t num_tried() const { return num_tried_; }  // targets
  bool has_untried() const { return num_tried_ < targets_.size(); }
  size_t num_realised() const { return num_realised_; }
  // Those of them that happened and made nothing fail, in words.
  std::vector<std::string> Harmless() const;

  // What came of the target of this index, in the order of their prediction.
  // Those beyond kMaxTargets are not forced.
  bool IsForced(size_t index) const { return index < targets_.size(); }
  const Attempts& AttemptsAt(size_t index) const {
    return targets_[index].attempts;
  }

 private:
  // Planned::arm is an index of targets_.
  struct Entry {
    Attempts attempts;
    std::shared_ptr<const finding::Aim> aim;
  };

  // The next attempt at any of them.
  std::optional<Attempt> NextOf(Entry*& entry);

  std::vector<Entry> targets_;
  uint64_t seed_;
  uint64_t number_ = 0;
  size_t num_tried_ = 0;
  size_t num_realised_ = 0;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_PLAN_TARGET_PLANNER_H_
