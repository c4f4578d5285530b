#include "explore/target_planner.h"

#include <gtest/gtest.h>

namespace fairlead::explore {
namespace {

std::vector<finding::Target> Targets(size_t number) {
  std::vector<finding::Target> targets(number);
  for (finding::Target& target : targets) {
    target.steps.resize(2);
  }
  return targets;
}

Observed Ended(Observed::End end) {
  Observed observed;
  observed.end = end;
  return observed;
}

TEST(TargetPlanner, ForcesEachTargetOnceBeforeAnyTwice) {
  TargetPlanner planner(Targets(2), 7);
  for (const uint64_t attempt : {0, 1}) {
    for (const uint64_t target : {0, 1}) {
      const std::optional<Planned> planned = planner.Next();
      ASSERT_TRUE(planned);
      EXPECT_EQ(planned->arm, target);
      EXPECT_EQ(planned->seed, 7 + attempt);
      EXPECT_EQ(planned->strategy.id, sched::StrategyId::kDirector);
      EXPECT_EQ(planned->strategy.params[0], attempt);
      EXPECT_EQ(planned->target.size(), 1);
      planner.Learn(*planned, Ended(Observed::End::kOk));
    }
  }
  EXPECT_FALSE(planner.Next());
  EXPECT_TRUE(planner.exhausted());
  EXPECT_EQ(planner.num_tried(), 2);
  EXPECT_EQ(planner.num_realised(), 0);
}

TEST(TargetPlanner, LeavesWhatHappened) {
  TargetPlanner planner(Targets(2), 1);
  const Planned first = *planner.Next();
  const Planned second = *planner.Next();
  Observed realised = Ended(Observed::End::kOk);
  realised.target.success = 1;
  planner.Learn(first, realised);
  // A deadlock keeps the last steps of its target from happening.
  planner.Learn(second, Ended(Observed::End::kFailed));
  EXPECT_FALSE(planner.Next());
  EXPECT_EQ(planner.num_realised(), 2);
}

TEST(TargetPlanner, WaitsForAnAttemptUnderWay) {
  TargetPlanner planner(Targets(1), 1);
  const Planned first = *planner.Next();
  EXPECT_FALSE(planner.Next());
  EXPECT_FALSE(planner.exhausted());
  planner.Learn(first, Ended(Observed::End::kCut));
  EXPECT_TRUE(planner.Next());
}

TEST(TargetPlanner, ForcesTheFirstOfTooMany) {
  TargetPlanner planner(Targets(TargetPlanner::kMaxTargets + 1), 1);
  while (const std::optional<Planned> planned = planner.Next()) {
    planner.Learn(*planned, Ended(Observed::End::kOk));
  }
  EXPECT_EQ(planner.num_tried(), TargetPlanner::kMaxTargets);
}

}  // namespace
}  // namespace fairlead::explore
