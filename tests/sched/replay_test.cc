// Tests of the strategies that follow a schedule.

#include "sched/replay_strategy.h"

#include <gtest/gtest.h>

#include "sched/factory.h"
#include "sched/prefix_strategy.h"
#include "sched/random_strategy.h"
#include "tests/sched/simulator.h"

namespace fairlead::sched {
namespace {

constexpr char kProgram[] =
    "a: lock m; write x; unlock m; yield until y; read x |"
    "b: write z; lock m; write x; unlock m; write y |"
    "c: read x; read x; yield; read z";

struct Recorded {
  std::string execution;
  std::vector<abi::ChoiceRecord> choices;
};

Recorded Record(uint64_t seed, const ToyProgram& program) {
  RandomStrategy random;
  Recorded recorded;
  recorded.execution =
      Simulate(random, {.seed = seed}, program, &recorded.choices);
  return recorded;
}

TEST(ReplayStrategy, RepeatsEveryRecordedExecution) {
  const ToyProgram program = ParseToy(kProgram);
  for (uint64_t seed = 0; seed < 500; ++seed) {
    const Recorded recorded = Record(seed, program);
    ReplayStrategy replay;
    Following following;
    std::vector<abi::ChoiceRecord> again;
    EXPECT_EQ(
        Simulate(replay, {.choices = recorded.choices, .following = &following},
                 program, &again),
        recorded.execution);
    EXPECT_FALSE(following.parted);
    EXPECT_EQ(following.followed, recorded.choices.size());
    EXPECT_EQ(again.size(), recorded.choices.size());
  }
}

TEST(ReplayStrategy, RecordsOnlyRealSwitches) {
  const ToyProgram program = ParseToy("a: read x; read x | b: read x; read x");
  const abi::ChoiceRecord only = {.next = Tid{1},
                                  .left = Tid{0},
                                  .count = 1,
                                  .anchor = SiteId::kNone,
                                  .option = 0,
                                  .way = 0};
  // At the start nobody runs, so that choice is always recorded.
  const abi::ChoiceRecord start = {.next = Tid{0},
                                   .left = Tid::kNone,
                                   .count = 0,
                                   .anchor = SiteId::kNone,
                                   .option = 0,
                                   .way = 0};
  const abi::ChoiceRecord choices[] = {start, only};
  ReplayStrategy replay;
  std::vector<abi::ChoiceRecord> again;
  EXPECT_EQ(Simulate(replay, {.choices = choices}, program, &again), "abba");
  EXPECT_EQ(again.size(), 2u);
}

// What is offered at a count does not hide the switch that stands there, and is
// left alone by schedules that know nothing of it.
TEST(ReplayStrategy, TakesWhatIsOfferedOnlyIfItIsRecorded) {
  const auto record = [](Tid next, uint32_t option) {
    return abi::ChoiceRecord{.next = next,
                             .left = Tid{0},
                             .count = 5,
                             .anchor = SiteId::kNone,
                             .option = option,
                             .way = 0};
  };
  const Candidate options[] = {{Tid{0}, Op::kYield, ObjId{0}, SiteId::kNone},
                               {Tid{0}, Op::kYield, ObjId{2}, SiteId::kNone}};
  const Point offer = {.step = Step{0},
                       .enabled = options,
                       .running = Tid{0},
                       .count = 5,
                       .site = SiteId::kNone,
                       .yielding = false,
                       .offer = true};
  const struct {
    abi::ChoiceRecord recorded;
    size_t picked;
  } kCases[] = {{record(Tid{0}, 2), 1},   // this one
                {record(Tid{0}, 1), 0},   // another one at the same count
                {record(Tid{1}, 0), 0}};  // a switch behind it
  for (const auto& [recorded, picked] : kCases) {
    ReplayStrategy replay;
    Following following;
    replay.Begin({.choices = {&recorded, 1}, .following = &following});
    EXPECT_EQ(replay.Pick(offer), picked);
    EXPECT_EQ(following.followed, picked);
    EXPECT_FALSE(following.parted);
  }
}

// Follows the schedule of one program in another.
Following Follow(std::string_view recorded_from, std::string_view replayed_in,
                 uint64_t seed) {
  const Recorded recorded = Record(seed, ParseToy(recorded_from));
  ReplayStrategy replay;
  Following following;
  Simulate(replay, {.choices = recorded.choices, .following = &following},
           ParseToy(replayed_in));
  return following;
}

TEST(ReplayStrategy, TellsThatTheNextThreadIsNotEnabled) {
  const ToyProgram program = ParseToy("a: lock m; unlock m | b: lock m");
  const abi::ChoiceRecord choices[] = {
      {Tid{0}, Tid::kNone, 0, SiteId::kNone, 0, 0},
      {Tid{7}, Tid{0}, 2, SiteId::kNone, 0, 0}};
  ReplayStrategy replay;
  Following following;
  EXPECT_EQ(
      Simulate(replay, {.choices = choices, .following = &following}, program),
      "aab");
  EXPECT_FALSE(following.parted) << "b is alone there: nobody is asked";
  EXPECT_EQ(following.followed, 1u);

  const abi::ChoiceRecord wrong[] = {
      {Tid{7}, Tid::kNone, 0, SiteId::kNone, 0, 0}};
  Simulate(replay, {.choices = wrong, .following = &following}, program);
  EXPECT_TRUE(following.parted);
  EXPECT_EQ(following.where.choice, 0u);
  EXPECT_EQ(following.where.wanted.next, Tid{7});
  EXPECT_EQ(following.where.found.next, Tid::kNone);
}

TEST(ReplayStrategy, TellsThatAThreadCameAnotherWay) {
  const abi::ChoiceRecord choices[] = {{Tid{1}, Tid{0}, 5, SiteId{9}, 0, 0x77}};
  const Candidate enabled[] = {{Tid{0}, Op::kRead, ObjId{1}, SiteId{9}},
                               {Tid{1}, Op::kRead, ObjId{1}, SiteId{9}}};
  Point point = {.step = Step{3},
                 .enabled = enabled,
                 .running = Tid{0},
                 .count = 5,
                 .site = SiteId{9},
                 .yielding = false,
                 .way = 0x77};
  ReplayStrategy replay;
  Following following;
  const ExecutionPlan plan = {.choices = choices, .following = &following};
  replay.Begin(plan);
  EXPECT_EQ(replay.Pick(point), 1u);
  EXPECT_FALSE(following.parted);

  point.way = 0x78;
  replay.Begin(plan);
  replay.Pick(point);
  EXPECT_TRUE(following.parted);
  EXPECT_EQ(following.where.wanted.way, 0x77u);
  EXPECT_EQ(following.where.found.way, 0x78u);
}

TEST(ReplayStrategy, TellsThatAThreadStandsElsewhere) {
  const ToyProgram program = ParseToy("a: read x; read x | b: read x");
  const abi::ChoiceRecord choices[] = {
      {Tid{0}, Tid::kNone, 0, SiteId::kNone, 0, 0},
      {Tid{1}, Tid{0}, 1, SiteId{99}, 0, 0}};
  ReplayStrategy replay;
  Following following;
  Simulate(replay, {.choices = choices, .following = &following}, program);
  EXPECT_TRUE(following.parted);
  EXPECT_EQ(following.where.choice, 1u);
  EXPECT_EQ(following.where.wanted.anchor, SiteId{99});
  EXPECT_EQ(following.where.found.anchor, SiteId{2});
}

TEST(ReplayStrategy, TellsThatNoRecordSaysWhoGoesOn) {
  // "aab" never asks after the start; with c there is a choice when a ends.
  const abi::ChoiceRecord choices[] = {
      {Tid{0}, Tid::kNone, 0, SiteId::kNone, 0, 0}};
  ReplayStrategy replay;
  Following following;
  EXPECT_EQ(Simulate(replay, {.choices = choices, .following = &following},
                     ParseToy("a: read x | b: read x | c: read x")),
            "abc");
  EXPECT_TRUE(following.parted);
  EXPECT_EQ(following.where.choice, 1u);
  EXPECT_EQ(following.where.found.left, Tid{0});
}

TEST(ReplayStrategy, AChangedProgramDoesNotPassForTheSame) {
  // b lost an operation: some records can no longer be carried out, or are
  // left over at the end.
  int num_noticed = 0;
  for (uint64_t seed = 0; seed < 64; ++seed) {
    const Recorded recorded =
        Record(seed, ParseToy("a: read x; read x; read x |"
                              "b: read x; read x"));
    const Following following =
        Follow("a: read x; read x; read x | b: read x; read x",
               "a: read x; read x; read x | b: read x", seed);
    num_noticed +=
        following.parted || following.followed < recorded.choices.size();
  }
  // Unnoticed only when b's second read is never left and never comes first:
  // the last choice is not about b. At least a quarter of the walks have a
  // switch away from b's second read.
  EXPECT_GE(num_noticed, 16);
}

TEST(ReplayStrategy, UntrustedSchedulesNeverPickOutOfRange) {
  const ToyProgram program = ParseToy(kProgram);
  Rng rng(5);
  for (int i = 0; i < 2000; ++i) {
    std::vector<abi::ChoiceRecord> choices(rng.Below(8));
    for (abi::ChoiceRecord& choice : choices) {
      choice = {Tid{static_cast<uint16_t>(rng.Below(5))},
                Tid{static_cast<uint16_t>(rng.Below(5))},
                static_cast<uint32_t>(rng.Below(4)),
                SiteId{rng.Below(3)},
                static_cast<uint32_t>(rng.Below(4)),
                0};
    }
    ReplayStrategy replay;
    EXPECT_NO_THROW(Simulate(replay, {.choices = choices}, program));
  }
}

TEST(PrefixStrategy, FollowsTheScheduleThenTheBase) {
  const ToyProgram program = ParseToy(kProgram);
  const Recorded recorded = Record(11, program);
  ASSERT_GE(recorded.choices.size(), 4u);
  const std::span prefix = std::span(recorded.choices).first(3);
  PrefixStrategy strategy;
  Following following;
  std::set<std::string> executions;
  for (uint64_t seed = 0; seed < 64; ++seed) {
    std::vector<abi::ChoiceRecord> choices;
    executions.insert(Simulate(strategy,
                               {.seed = seed,
                                .choices = prefix,
                                .following = &following,
                                .base = StrategyId::kRandom},
                               program, &choices));
    EXPECT_FALSE(following.parted);
    EXPECT_EQ(following.followed, 3u);
    ASSERT_GE(choices.size(), 3u);
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(choices[i].next, prefix[i].next);
      EXPECT_EQ(choices[i].count, prefix[i].count);
    }
  }
  EXPECT_GE(executions.size(), 20u);
}

TEST(PrefixStrategy, RefusesItselfAsABase) {
  PrefixStrategy strategy;
  for (const StrategyId base :
       {StrategyId::kPrefix, StrategyId::kReplay, StrategyId{77}}) {
    EXPECT_EQ(Simulate(strategy, {.base = base},
                       ParseToy("a: read x; read x | b: read x")),
              "aab");
  }
}

// Options of one thread (fairlead_choose and the like) come as candidates that
// share a tid.
TEST(ReplayStrategy, FollowsOptions) {
  const Candidate options[] = {{Tid{2}, Op::kChoose, ObjId{0}, SiteId{5}},
                               {Tid{2}, Op::kChoose, ObjId{1}, SiteId{5}},
                               {Tid{2}, Op::kChoose, ObjId{2}, SiteId{5}}};
  const Point point = {Step{0}, options, Tid{2}, 4, SiteId{5}, false};
  EXPECT_FALSE(IsRecorded(point, 0));
  ASSERT_TRUE(IsRecorded(point, 2));
  const abi::ChoiceRecord taken[] = {RecordOf(point, 2)};
  EXPECT_EQ(taken[0].next, taken[0].left);

  ReplayStrategy replay;
  Following following;
  replay.Begin({.choices = taken, .following = &following});
  EXPECT_EQ(replay.Pick(point), 2u);
  Point later = point;
  later.count = 5;
  EXPECT_EQ(replay.Pick(later), 0u);
  EXPECT_FALSE(following.parted);
}

}  // namespace
}  // namespace fairlead::sched
