#include "explore/plan/in_process_planner.h"

#include <gtest/gtest.h>

namespace fairlead::explore {
namespace {

using sched::StrategyId;

// Plans whatever it is told to, and remembers what it learns.
class Scripted final : public Planner {
 public:
  std::optional<Planned> Next() override {
    Planned planned = next;
    planned.number = number++;
    return planned;
  }
  void Learn(const Planned&, const Observed& observed) override {
    learnt = observed;
  }

  Planned next;
  uint64_t number = 2;
  Observed learnt;
};

Planned Random() {
  Planned planned;
  planned.strategy = DefaultSpec(StrategyId::kRandom);
  planned.flags = abi::kPlanFeatures | abi::kPlanRecord;
  return planned;
}

// All closures of a batch were run, of so many steps each.
Observed Ran(const Planned& planned, uint64_t steps) {
  Observed observed;
  observed.steps = 7;
  observed.explored = planned.iterations;
  observed.explore_steps = steps;
  observed.explore_more = 1;
  return observed;
}

TEST(InProcessPlanner, MakesBatchesThatGrowUntilTheyTakeATenthOfASecond) {
  Scripted inner;
  inner.next = Random();
  InProcessPlanner planner(inner);
  uint64_t done = 0;
  uint64_t last = 0;
  for (int i = 0; i < 6; ++i) {
    const Planned planned = *planner.Next();
    EXPECT_GE(planned.iterations, last);
    EXPECT_EQ(planned.iterations_done, done);
    EXPECT_EQ(planned.flags, uint64_t{abi::kPlanFeatures});
    planner.Learn(planned, Ran(planned, 100));
    EXPECT_EQ(inner.learnt.steps, 100u);
    last = planned.iterations;
    done += last;
  }
  // Two million steps of 50 ns.
  EXPECT_GE(last * 100, 2'000'000u);
  EXPECT_LE(last * 100, 8'000'000u);
  EXPECT_EQ(planner.shares()[0].executions, done);
}

TEST(InProcessPlanner, LeavesExecutionsThatAreAboutOneSchedule) {
  Scripted inner;
  InProcessPlanner planner(inner);
  inner.next = Random();
  inner.next.prefix.resize(3);
  EXPECT_EQ(planner.Next()->iterations, 0u);
  inner.next = Random();
  inner.next.flags |= abi::kPlanPoints;
  EXPECT_EQ(planner.Next()->iterations, 0u);
  inner.next = Random();
  inner.next.watch.Want(WatcherId::kProfile);
  const Planned planned = *planner.Next();
  EXPECT_EQ(planned.iterations, 0u);
  EXPECT_EQ(planned.flags, inner.next.flags);
}

TEST(InProcessPlanner, MakesSmallerBatchesWhenOneIsCut) {
  Scripted inner;
  inner.next = Random();
  InProcessPlanner planner(inner);
  const Planned planned = *planner.Next();
  Observed cut = Ran(planned, 10);
  cut.end = Observed::End::kCut;
  planner.Learn(planned, cut);
  EXPECT_EQ(planner.Next()->iterations, planned.iterations / 2);
}

TEST(InProcessPlanner, EndsWhenNoCallAsksForMore) {
  Scripted inner;
  inner.next = Random();
  InProcessPlanner planner(inner);
  const Planned planned = *planner.Next();
  Observed all = Ran(planned, 10);
  all.explore_more = 0;
  planner.Learn(planned, all);
  EXPECT_TRUE(planner.exhausted());
  EXPECT_FALSE(planner.Next());
  EXPECT_NE(planner.Remark(), "");
}

TEST(InProcessPlanner, GoesOnWithOneEachIfClosuresCannotBeRepeated) {
  Scripted inner;
  inner.next = Random();
  InProcessPlanner planner(inner);
  const Planned planned = *planner.Next();
  Observed once = Ran(planned, 10);
  once.explored = 1;
  planner.Learn(planned, once);
  EXPECT_EQ(planner.Next()->iterations, 0u);
}

}  // namespace
}  // namespace fairlead::explore
