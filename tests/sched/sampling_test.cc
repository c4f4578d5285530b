// Tests of sched/pos_strategy.h and sched/surw_strategy.h in the simulator.

#include <gtest/gtest.h>

#include <cmath>

#include "sched/pos_strategy.h"
#include "sched/surw_strategy.h"
#include "tests/sched/simulator.h"

namespace fairlead::sched {
namespace {

TEST(PosStrategy, GivesBothOrdersOfARacingPairEvenly) {
  PosStrategy pos;
  // Binomial(10000, 1/2): standard deviation 50.
  EXPECT_NEAR(Count(pos, 1, 10'000, "a: write x | b: write x")["ab"], 5000,
              200);
}

// Four races in a row, a to win all of them: one order of a's four writes and
// b's four. Each race is a coin of its own, so about (1/2)^4 and not less than
// half of that.
TEST(PosStrategy, DrawsAgainForEveryRace) {
  PosStrategy pos;
  const auto counts =
      Count(pos, 1, 16'000,
            "a: write x; write y; write z | b: write x; write y; write z");
  // The interleavings in which the threads alternate are as likely as any
  // others: each of the 20 comes up, none with less than 1/100.
  EXPECT_EQ(counts.size(), 20u);
  for (const auto& [schedule, count] : counts)
    EXPECT_GE(count, 160) << schedule;
}

// A lonely write in b races with the last of many steps of a that touch
// something else. A random walk orders b behind them once in 2^20.
TEST(PosStrategy, IsNotMisledByOperationsThatDoNotConflict) {
  PosStrategy pos;
  std::string program = "a: ";
  for (int i = 0; i < 20; ++i) program += "read y; ";
  program += "write x | b: write x";
  int last = 0;
  for (uint64_t seed = 1; seed <= 10'000; ++seed) {
    if (Simulate(pos, seed, program).back() == 'b') ++last;
  }
  // b's write keeps its priority p while a draws 21 times: it is last if p is
  // the lowest of the 21 first draws and then loses the race: 1/22 at least.
  EXPECT_GE(last, 10'000 / 22 - 4 * 21);
}

TEST(PosStrategy, LetsTheSpinningThreadWait) {
  PosStrategy pos;
  for (uint64_t seed = 1; seed < 50; ++seed) {
    EXPECT_EQ(Simulate(pos, seed, "a: yield until x | b: write x"), "ba");
  }
}

constexpr uint64_t kEverything = 0xffff;

std::map<std::string, int> CountSurw(std::string_view program,
                                     std::vector<abi::WeightRecord> weights,
                                     uint64_t mask, uint64_t number) {
  SurwStrategy surw;
  const ToyProgram parsed = ParseToy(program);
  std::map<std::string, int> counts;
  for (uint64_t seed = 1; seed <= number; ++seed) {
    ++counts[Simulate(
        surw, {.seed = seed, .params = {mask}, .weights = weights}, parsed)];
  }
  return counts;
}

TEST(SurwStrategy, IsUniformOverInterleavings) {
  // A long and a short thread: C(8, 2) = 28 interleavings. A random walk gives
  // those that end in a long run of a up to 2^5 times the others' share.
  const auto counts = CountSurw(
      "a: read x; read x; read x; read x; read x; read x | b: write x; write x",
      {{6, Tid::kNone, 0}, {2, Tid::kNone, 0}}, kEverything, 28'000);
  ASSERT_EQ(counts.size(), 28u);
  for (const auto& [schedule, count] : counts) {
    EXPECT_NEAR(count, 1000, 4 * std::sqrt(1000)) << schedule;
  }
}

TEST(SurwStrategy, IsUniformOverTheOperationsOfInterest) {
  // In the simulator the site of a step is (thread << 16) + step + 1. Of
  // interest is the last step of each thread; a has others, as many as fall
  // into other buckets.
  const auto bit = [](uint64_t site) {
    return uint64_t{1} << abi::OperationBucket(SiteId{site});
  };
  std::string program = "a: ";
  uint64_t mask = 0;
  for (uint64_t last = 8; mask == 0; --last) {
    ASSERT_GE(last, 4u) << "too few buckets";
    mask = bit(last) | bit((1 << 16) + 1);
    for (uint64_t i = 1; i < last; ++i) {
      if ((mask & bit(i)) != 0) mask = 0;
    }
    for (uint64_t i = 1; mask != 0 && i < last; ++i) program += "read y; ";
  }
  const ToyProgram parsed = ParseToy(program + "write x | b: write x");
  SurwStrategy surw;
  const std::vector<abi::WeightRecord> weights = {{1, Tid::kNone, 0},
                                                  {1, Tid::kNone, 0}};
  int b_first = 0;
  for (uint64_t seed = 1; seed <= 10'000; ++seed) {
    const std::string s = Simulate(
        surw, {.seed = seed, .params = {mask}, .weights = weights}, parsed);
    if (s.back() == 'a') ++b_first;
  }
  EXPECT_NEAR(b_first, 5000, 200);
}

TEST(SurwStrategy, WithoutWeightsIsARandomWalk) {
  const auto counts =
      CountSurw("a: write x | b: write x; write x", {}, kEverything, 8000);
  EXPECT_NEAR(counts.at("abb"), 4000, 4 * 45);
  EXPECT_NEAR(counts.at("bab"), 2000, 4 * 39);
}

TEST(SurwStrategy, CountsAThreadThatIsNotBornAsItsParents) {
  // b is a's child: as long as it has not been seen, a stands for both. Here
  // all threads exist from the start, so the sums are taken apart at once.
  const auto counts =
      CountSurw("a: write x | b: write x; write x",
                {{3, Tid::kNone, 0}, {2, Tid{0}, 0}}, kEverything, 9000);
  for (const auto& [schedule, count] : counts) {
    EXPECT_NEAR(count, 3000, 4 * 45) << schedule;
  }
}

TEST(SurwStrategy, SurvivesWeightsThatAreWrong) {
  for (const uint32_t weight : {0u, 1u, 1000u}) {
    const auto counts = CountSurw(
        "a: lock m; write x; unlock m | b: lock m; write x; unlock m |"
        "c: yield until x; read x",
        {{weight, Tid{2}, 0}, {1, Tid{1}, 0}}, kEverything, 200);
    for (const auto& [schedule, count] : counts) {
      EXPECT_EQ(schedule.size(), 8u) << schedule;
    }
  }
}

}  // namespace
}  // namespace fairlead::sched
