// Tests of sched/pct_strategy.h, sched/pctlarge_strategy.h and
// sched/randdelay_strategy.h in the simulator.

#include "sched/pct_strategy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sched/pctlarge_strategy.h"
#include "sched/randdelay_strategy.h"
#include "tests/sched/simulator.h"

namespace fairlead::sched {
namespace {

int CountOver(Strategy& strategy, ExecutionPlan plan, std::string_view program,
              int number, bool (*is_bug)(const std::string&)) {
  const ToyProgram parsed = ParseToy(program);
  int found = 0;
  for (int i = 0; i < number; ++i) {
    plan.seed = static_cast<uint64_t>(i) + 1;
    found += is_bug(Simulate(strategy, plan, parsed)) ? 1 : 0;
  }
  return found;
}

// Whether at least `bound` of `number` executions found it, less four standard
// deviations: the seeds are fixed, so this holds always or never.
void ExpectAtLeast(int found, int number, double bound) {
  const double mean = number * bound;
  EXPECT_GE(found, mean - 4 * std::sqrt(mean)) << "of " << number;
}

TEST(PctStrategy, WithoutChangePointsRunsThreadsByPriority) {
  PctStrategy pct;
  // Never a preemption, each order of three threads with probability 1/6.
  const auto counts = Count(pct, 1, 6000,
                            "a: read x; read x; read x | b: read x; read x |"
                            "c: read x; read x");
  EXPECT_EQ(counts.size(), 6u);
  for (const auto& [schedule, count] : counts) {
    EXPECT_NEAR(count, 1000, 4 * std::sqrt(6000 * 1 / 6. * 5 / 6)) << schedule;
  }
}

// b's write must fall between the two reads of a: c = 1, n = 2. Shown are the
// choices until one of the threads ends: k = 5 at most.
TEST(PctStrategy, FindsOnePreemptionWithItsGuarantee) {
  PctStrategy pct;
  const int found = CountOver(
      pct, {.params = {1, 5}}, "a: read x; read x; read y; read y | b: write x",
      10'000, [](const std::string& s) { return s == "abaaa"; });
  ExpectAtLeast(found, 10'000, 1. / (2 * 5));
}

// Three threads of which each must be preempted or overtaken at one place:
// a's second step, then b's second, as in a cycle of three (c = 2, n = 3).
TEST(PctStrategy, FindsTwoPreemptionsWithItsGuarantee) {
  PctStrategy pct;
  constexpr int kSteps = 11;
  const int found = CountOver(
      pct, {.params = {2, kSteps}},
      "a: read x; read x; read x; read x |"
      "b: write x; write x; write x; write x |"
      "c: read y; read y; read y; read y",
      200'000, [](const std::string& s) { return s.starts_with("aabbcccc"); });
  ExpectAtLeast(found, 200'000, 1. / (3 * kSteps * kSteps));
}

// The same needs three right choices in a row of a random walk at least; deep
// in a long execution PCT's bound does not get worse by the depth.
TEST(PctStrategy, FindsAPreemptionDeepInALongExecution) {
  std::string program = "a: write x";
  for (int i = 0; i < 99; ++i) program += "; read x";
  program += " | b: write x";
  PctStrategy pct;
  // b between the 60th and the 61st step of a: one step in k = 101.
  const int found =
      CountOver(pct, {.params = {1, 101}}, program, 20'000,
                [](const std::string& s) { return s.find('b') == 60; });
  ExpectAtLeast(found, 20'000, 1. / (2 * 101));
}

TEST(PctStrategy, LetsTheSpinningThreadWait) {
  PctStrategy pct;
  for (uint64_t seed = 1; seed < 50; ++seed) {
    EXPECT_EQ(Simulate(pct, seed, "a: yield until x | b: write x"), "ba");
  }
}

TEST(PctStrategy, TakesNoMoreChangePointsThanItHasRoomFor) {
  PctStrategy pct;
  EXPECT_EQ(Simulate(pct, {.params = {~uint64_t{0}, 3}},
                     ParseToy("a: write x | b: yield until x")),
            "ab");
}

TEST(PctLargeStrategy, SwitchesMoreOftenThanPct) {
  constexpr char kProgram[] =
      "a: read x; read x; read x; read x; read x; read x |"
      "b: read x; read x; read x; read x; read x; read x";
  PctStrategy pct;
  PctLargeStrategy large;
  // A switch more than the one between the two threads.
  const auto switches = [](const std::string& s) {
    return s != "aaaaaabbbbbb" && s != "bbbbbbaaaaaa";
  };
  const ExecutionPlan plan = {.params = {1, 11}};
  EXPECT_GT(CountOver(large, plan, kProgram, 1000, switches),
            CountOver(pct, plan, kProgram, 1000, switches));
}

TEST(PctLargeStrategy, ReachesBothOrdersOfARacingPair) {
  PctLargeStrategy large;
  // Shares are drawn alike for both: 1/2 each; missing one in 64: 2^-63.
  EXPECT_EQ(SchedulesOver(large, 1, 64, "a: write x | b: write x").size(), 2u);
}

TEST(RandDelayStrategy, HoldsAThreadBackForLong) {
  RandDelayStrategy delayed;
  std::string program = "a: write x | b: read x";
  for (int i = 0; i < 39; ++i) program += "; read x";
  // a behind 30 steps of b: a random walk does that once in 2^30 executions;
  // here one in ten first choices of a is a delay, of 30 or more steps in 70 %,
  // unless b is held back too and for longer: counted low, one in a hundred.
  const int found =
      CountOver(delayed, {.params = {10, 100}}, program, 2000,
                [](const std::string& s) { return s.find('a') >= 30; });
  ExpectAtLeast(found, 2000, 0.01);
}

TEST(RandDelayStrategy, GoesOnWhenAllAreHeldBack) {
  RandDelayStrategy delayed;
  for (uint64_t seed = 1; seed < 50; ++seed) {
    const std::string s =
        Simulate(delayed, {.seed = seed, .params = {1, 1000}},
                 ParseToy("a: write x; write x | b: write x; write x"));
    EXPECT_EQ(s.size(), 4u);
  }
}

}  // namespace
}  // namespace fairlead::sched
