// What an execution tells about its behaviour: runtime/sites/features.h and the
// recorded choices, read back through explore/plan/planner.h.

#include <gtest/gtest.h>

#include "base/subprocess.h"
#include "explore/plan/planner.h"
#include "explore/run/runner.h"

namespace fairlead::explore {
namespace {

struct Told {
  Executed executed;
  std::vector<uint64_t> features;
  std::vector<abi::OperationCount> counts;
  std::vector<abi::SeenRecord> seen;
  std::vector<abi::ChoiceRecord> choices;
};

Told RunOrder(sched::StrategyId strategy, uint64_t seed, uint64_t flags) {
  const std::string path = FAIRLEAD_PROGRAMS "/order";
  Setting setting = {.program = *InspectProgram(path),
                     .argv = {path},
                     .environment = OwnEnvironment(),
                     .runtime = FAIRLEAD_RUNTIME,
                     .stdin_path = "",
                     .jobs = 1};
  auto runner = MakeFreshRunner(setting);
  EXPECT_TRUE(runner);
  Planned planned;
  planned.strategy = DefaultSpec(strategy);
  planned.seed = seed;
  planned.flags = flags;
  Task task;
  task.plan.flags = abi::kPlanQuiet;
  planned.WriteTo(task.plan);
  EXPECT_TRUE((*runner)->Start(0, task));
  std::optional<Finished> finished;
  while (!finished) {
    auto next = (*runner)->Next(std::chrono::milliseconds(1000));
    EXPECT_TRUE(next);
    finished = std::move(*next);
  }
  const Observed observed = ObservedOf(finished->executed, Observed::End::kOk);
  return {.executed = finished->executed,
          .features = {observed.features.begin(), observed.features.end()},
          .counts = {observed.counts.begin(), observed.counts.end()},
          .seen = {observed.seen.begin(), observed.seen.end()},
          .choices = {observed.choices.begin(), observed.choices.end()}};
}

constexpr uint64_t kAsked = abi::kPlanFeatures | abi::kPlanRecord;

TEST(Features, AreTheSameInARepetition) {
  const Told once = RunOrder(sched::StrategyId::kFirst, 1, kAsked);
  ASSERT_EQ(once.features.size(), abi::kFeatureWords);
  EXPECT_EQ(RunOrder(sched::StrategyId::kFirst, 1, kAsked).features,
            once.features);
}

TEST(Features, TellSchedulesApart) {
  // One takes both locks in each thread, the other is a deadlock.
  EXPECT_NE(RunOrder(sched::StrategyId::kFirst, 1, kAsked).features,
            RunOrder(sched::StrategyId::kRoundRobin, 1, kAsked).features);
}

TEST(Features, AreLeftOutWhenNobodyAsks) {
  const Told told = RunOrder(sched::StrategyId::kFirst, 1, 0);
  EXPECT_TRUE(told.features.empty());
  EXPECT_TRUE(told.counts.empty());
  EXPECT_TRUE(told.seen.empty());
}

TEST(Counts, AreTheComingsToTheGate) {
  const Told told = RunOrder(sched::StrategyId::kFirst, 1, kAsked);
  ASSERT_EQ(told.counts.size(), 2u);
  uint64_t total = 0;
  for (const abi::OperationCount& count : told.counts) {
    for (const uint32_t number : count.by_bucket) total += number;
  }
  // Each thread's end is a coming but no operation, and the beginning of a
  // thread is an operation for which it does not come.
  EXPECT_GE(total, told.executed.outcome.points - 2);
  EXPECT_LE(total, told.executed.outcome.points + 2);
}

TEST(Points, HoldEveryCandidateOfEveryChoice) {
  const Told told =
      RunOrder(sched::StrategyId::kRoundRobin, 1, kAsked | abi::kPlanPoints);
  uint64_t num_choices = 0;
  uint64_t num_switches = 0;
  for (const abi::SeenRecord& seen : told.seen) {
    if ((seen.flags & abi::kSeenLast) != 0) ++num_choices;
    if ((seen.flags & abi::kSeenChosen) != 0 && seen.thread != seen.running) {
      ASSERT_LT(num_switches, told.choices.size());
      const abi::ChoiceRecord& choice = told.choices[num_switches++];
      EXPECT_EQ(choice.next, seen.thread);
      EXPECT_EQ(choice.left, seen.running);
      EXPECT_EQ(choice.count, seen.count);
      EXPECT_EQ(choice.anchor, seen.site);
      EXPECT_EQ(choice.way, seen.way);
    }
  }
  EXPECT_EQ(num_choices, told.executed.outcome.steps);
  EXPECT_EQ(num_switches, told.choices.size());
}

}  // namespace
}  // namespace fairlead::explore
