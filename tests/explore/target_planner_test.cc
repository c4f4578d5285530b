#include "explore/plan/target_planner.h"

#include <gtest/gtest.h>

#include "explore/run/seeds.h"

namespace fairlead::explore {
namespace {

std::vector<Foretold> Targets(size_t number) {
  std::vector<Foretold> targets(number);
  for (Foretold& each : targets) {
    each.target.steps.resize(2);
    each.target.steps[0].thread = "a";
    each.target.steps[1].thread = "b";
    each.sentence = "a race";
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
      EXPECT_EQ(planned->seed, SeedOf(7, SeedFor::kTarget, attempt));
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

// Threads that came near a deadlock have not shown it to be harmless; and one
// that holds its lock may have kept the other from its own.
TEST(TargetPlanner, ADeadlockIsThereOrNot) {
  std::vector<Foretold> targets = Targets(1);
  targets[0].target.success = finding::Success::kDeadlock;
  TargetPlanner planner(std::move(targets), 1);
  Observed near = Ended(Observed::End::kOk);
  near.target.success = 1;
  near.target.in_sight = 3;
  std::vector<uint32_t> num_edges;
  while (const std::optional<Planned> planned = planner.Next()) {
    num_edges.push_back(planned->target[0].num_edges);
    planner.Learn(*planned, near);
  }
  EXPECT_EQ(num_edges, (std::vector<uint32_t>{0, 1, 1}));
  EXPECT_EQ(planner.num_realised(), 0);
  EXPECT_TRUE(planner.Harmless().empty());
}

TEST(TargetPlanner, WaitsForAnAttemptUnderWay) {
  TargetPlanner planner(Targets(1), 1);
  const Planned first = *planner.Next();
  EXPECT_FALSE(planner.Next());
  EXPECT_FALSE(planner.exhausted());
  planner.Learn(first, Ended(Observed::End::kCut));
  EXPECT_TRUE(planner.Next());
}

// Thread 1 reads a flag that thread 2 writes, and comes to the step (anchor 3)
// if it is set.
constexpr uint64_t kFlag = 0x1000;
SeenEvent Touched(uint16_t tid, uint64_t anchor, bool writes,
                  uint64_t address = kFlag) {
  SeenEvent event;
  event.tid = trace::Tid{tid};
  event.anchor = anchor;
  event.address = address;
  event.size = 4;
  event.operation =
      writes ? finding::Operation::kWrite : finding::Operation::kRead;
  event.reads = !writes;
  event.writes = writes;
  return event;
}
const SeenEvent kRead = Touched(1, 1, false);
const SeenEvent kWrite = Touched(2, 2, true);
const SeenEvent kStep = Touched(1, 3, true, 0x2000);
const SeenEvent kOther = Touched(2, 4, false, 0x2000);

SeenPointer Execution(std::vector<SeenEvent> events) {
  SeenExecution seen;
  seen.events = std::move(events);
  return std::make_shared<SeenExecution>(std::move(seen));
}

// The step of thread 1 before that of thread 2.
std::vector<Foretold> StepBehindTheFlag() {
  std::vector<Foretold> targets(1);
  finding::Target& target = targets[0].target;
  target.steps.resize(2);
  target.steps[0].thread = "a";
  target.steps[0].anchor = kStep.anchor;
  target.steps[0].operation = kStep.operation;
  target.steps[1].thread = "b";
  target.steps[1].anchor = kOther.anchor;
  target.steps[1].operation = kOther.operation;
  target.edges.push_back({.before = 0, .after = 1});
  return targets;
}

TEST(TargetPlanner, DerivesWhatLeadsToAStepThatNeverCame) {
  TargetPlanner planner(StepBehindTheFlag(), 1,
                        Execution({kOther, kWrite, kRead, kStep}));
  Observed missed = Ended(Observed::End::kOk);
  missed.target.in_sight = 0b10;
  const Planned first = *planner.Next();
  EXPECT_FALSE(first.watch.Wants(AttemptObserver::kId));
  planner.Learn(first, missed);
  const Planned second = *planner.Next();
  EXPECT_TRUE(second.watch.Wants(AttemptObserver::kId));
  EXPECT_EQ(second.target[0].num_steps, 2);
  Watched watched;
  missed.watched = &watched;
  watched.Give<AttemptObserver>(Execution({kRead, kOther, kWrite}));
  planner.Learn(second, missed);
  // Now the write of the flag before the read, both optional.
  const Planned third = *planner.Next();
  ASSERT_EQ(third.target[0].num_steps, 4);
  EXPECT_EQ(third.target[0].num_edges, 2);
  EXPECT_EQ(third.target[0].edges[1].soft, 1);
  Observed realised = Ended(Observed::End::kOk);
  realised.target.success = 1;
  planner.Learn(third, realised);
  EXPECT_TRUE(planner.exhausted());
  EXPECT_EQ(planner.num_realised(), 1);
}

TEST(TargetPlanner, MakesNoMoreAttemptsWhenEveryStepCame) {
  TargetPlanner planner(StepBehindTheFlag(), 1,
                        Execution({kOther, kWrite, kRead, kStep}));
  Observed missed = Ended(Observed::End::kOk);
  missed.target.in_sight = 0b11;
  Watched watched;
  missed.watched = &watched;
  watched.Give<AttemptObserver>(Execution({kOther, kWrite, kRead, kStep}));
  for (int i = 0; i < 2; ++i) planner.Learn(*planner.Next(), missed);
  EXPECT_FALSE(planner.Next());
  EXPECT_TRUE(planner.exhausted());
}

TEST(TargetPlanner, TellsWhatHappenedWithoutHarm) {
  TargetPlanner planner(Targets(2), 1);
  const Planned first = *planner.Next();
  const Planned second = *planner.Next();
  EXPECT_EQ(first.aim->sentence, "a race");
  Observed realised = Ended(Observed::End::kOk);
  realised.target.success = 1;
  planner.Learn(first, realised);
  realised.end = Observed::End::kFailed;
  planner.Learn(second, realised);
  EXPECT_EQ(planner.Harmless(), std::vector<std::string>{"a race"});
}

TEST(TargetPlanner, ForcesTheFirstOfTooMany) {
  TargetPlanner planner(Targets(TargetPlanner::kMaxTargets + 1), 1);
  while (const std::optional<Planned> planned = planner.Next()) {
    planner.Learn(*planned, Ended(Observed::End::kOk));
  }
  EXPECT_EQ(planner.num_tried(), TargetPlanner::kMaxTargets);
}

// A thread reads what another writes, and comes to its second read if it saw
// the right thing.
TEST(TargetPlanner, AsksForValuesOfAReadAheadOfAStepThatNeverCame) {
  std::vector<Foretold> targets(1);
  finding::Target& target = targets[0].target;
  target.steps.resize(3);
  target.steps[0].thread = target.steps[2].thread = "a";
  target.steps[1].thread = "b";
  target.steps[1].operation = finding::Operation::kWrite;
  for (size_t i = 0; i < 3; ++i) target.steps[i].anchor = i + 1;
  TargetPlanner planner(std::move(targets), 1);
  Observed missed = Ended(Observed::End::kOk);
  missed.target.in_sight = 0b011;
  Watched watched;
  missed.watched = &watched;
  watched.Give<AttemptObserver>(
      Execution({Touched(1, 1, false), Touched(2, 2, true)}));
  for (int i = 0; i < 2; ++i) {
    const Planned planned = *planner.Next();
    EXPECT_EQ(planned.target[0].steps[0].value, abi::TargetValue::kAny);
    planner.Learn(planned, missed);
  }
  const Planned nonzero = *planner.Next();
  EXPECT_EQ(nonzero.target[0].steps[0].value, abi::TargetValue::kNonzero);
  // Another target, so that its attempts begin anew.
  EXPECT_EQ(nonzero.strategy.params[0], 0);
  planner.Learn(nonzero, missed);
  const Planned zero = *planner.Next();
  EXPECT_EQ(zero.target[0].steps[0].value, abi::TargetValue::kZero);
}

}  // namespace
}  // namespace fairlead::explore
