// explore/plan/turns_planner.h
//
// Lets the planner that forces predictions (TargetPlanner) and the one that
// searches take turns from the start: a bug that any schedule of the search
// shows at once does not wait for a queue of predictions, and a prediction does
// not wait for the end of the search. The likeliest prediction comes first: on
// the zoo's bugs it is what finds most of them.
//
//   first attempts at targets    one, then one execution of the search, …
//   further attempts             one for every two of the search
//
// When one of the two has nothing to run, the other goes on alone.

#ifndef FAIRLEAD_EXPLORE_PLAN_TURNS_PLANNER_H_
#define FAIRLEAD_EXPLORE_PLAN_TURNS_PLANNER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "explore/plan/planner.h"
#include "explore/plan/target_planner.h"

namespace fairlead::explore {

class TurnsPlanner final : public Planner {
 public:
  // Executions of the search for each attempt at a target after its first.
  static constexpr uint64_t kSearchTurns = 2;

  // Both must outlive it.
  TurnsPlanner(TargetPlanner& targets, Planner& search)
      : targets_(targets), search_(search) {}

  std::optional<Planned> Next() override;
  void Learn(const Planned& planned, const Observed& observed) override;
  bool exhausted() const override {
    return targets_.exhausted() && search_.exhausted();
  }
  uint64_t num_behaviours() const override { return search_.num_behaviours(); }
  std::vector<Share> shares() const override { return search_.shares(); }
  std::string Remark() const override { return search_.Remark(); }

 private:
  struct Begun {
    Planner* planner;
    uint64_t inner;  // its number for that planner
  };

  std::optional<Planned> From(Planner& planner);

  TargetPlanner& targets_;
  Planner& search_;
  std::map<uint64_t, Begun> begun_;  // by number, under way
  uint64_t number_ = 0;
  // Executions of the search since the last attempt.
  uint64_t searched_ = kSearchTurns;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_PLAN_TURNS_PLANNER_H_
