// Tests of the strategies that decide by themselves, in the simulator.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sched/first_strategy.h"
#include "sched/random_strategy.h"
#include "sched/round_robin_strategy.h"
#include "tests/sched/simulator.h"

namespace fairlead::sched {
namespace {

using ::testing::UnorderedElementsAre;

constexpr char kRace[] = "a: write x | b: write x";

TEST(RandomStrategy, ReachesBothOrdersOfARacingPair) {
  RandomStrategy random;
  // Each order has probability 1/2 per seed; missing one in 64 seeds: 2^-63.
  EXPECT_THAT(SchedulesOver(random, 1, 64, kRace),
              UnorderedElementsAre("ab", "ba"));
}

TEST(RandomStrategy, GivesBothOrdersAboutEquallyOften) {
  RandomStrategy random;
  const int num_ab = Count(random, 1, 10'000, kRace)["ab"];
  // Binomial(10000, 1/2): mean 5000, standard deviation 50. Four deviations
  // are left by chance with probability 6e-5; the seeds are fixed, so this
  // either always passes or never.
  EXPECT_NEAR(num_ab, 5000, 200);
}

TEST(RandomStrategy, ReachesEveryInterleavingWithItsProbability) {
  RandomStrategy random;
  const auto counts =
      Count(random, 1, 16'000, "a: write x; read x | b: write y; read y");
  ASSERT_EQ(counts.size(), 6u);
  // A walk chooses while both threads live: "aabb" needs two choices (1/4),
  // "abab" three (1/8). 4000 and 2000 of 16000; deviations 55 and 42.
  for (const auto& [schedule, count] : counts) {
    const bool two = schedule == "aabb" || schedule == "bbaa";
    EXPECT_NEAR(count, two ? 4000 : 2000, two ? 220 : 168) << schedule;
  }
}

TEST(RandomStrategy, RepeatsAnExecutionFromItsSeed) {
  RandomStrategy random;
  constexpr char kLong[] =
      "a: write x; write x; write x; write x; write x; write x; write x |"
      "b: read x; read x; read x; read x; read x; read x; read x; read x |"
      "c: read x; read x; read x; read x; read x; read x; read x; read x";
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const std::string once = Simulate(random, seed, kLong);
    EXPECT_EQ(Simulate(random, seed, kLong), once);
  }
  // 23!/(7! 8! 8!) interleavings, the likeliest well below 2^-8: 50 seeds that
  // give fewer than 40 different ones would mean that the seeds are not mixed.
  EXPECT_GE(SchedulesOver(random, 0, 50, kLong).size(), 40u);
}

TEST(RoundRobinStrategy, SwitchesAtEveryPoint) {
  RoundRobinStrategy round_robin;
  EXPECT_EQ(Simulate(round_robin, 0,
                     "a: read x; read x; read x | b: read x; read x |"
                     "c: read x"),
            "abcaba");
}

TEST(RoundRobinStrategy, PassesOverThreadsThatMustWait) {
  RoundRobinStrategy round_robin;
  EXPECT_EQ(Simulate(round_robin, 0,
                     "a: lock m; write x; unlock m | b: lock m; unlock m |"
                     "c: read x; read x; read x"),
            "acacabcb");
}

TEST(FirstStrategy, RunsAThreadUntilItEnds) {
  FirstStrategy first;
  EXPECT_EQ(Simulate(first, 0, "a: read x; read x | b: write x; write x"),
            "aabb");
}

TEST(FirstStrategy, SwitchesWhenAThreadMustWait) {
  FirstStrategy first;
  EXPECT_EQ(Simulate(first, 0,
                     "a: yield; lock m; unlock m | b: lock m; yield; unlock m"),
            "babbaa");
}

// The spin policy holds for every strategy: none can keep a spinning thread
// running against the one that it waits for.
TEST(SpinPolicy, LetsOthersRunWhileAThreadSpins) {
  RandomStrategy random;
  RoundRobinStrategy round_robin;
  FirstStrategy first;
  for (Strategy* strategy :
       std::initializer_list<Strategy*>{&random, &round_robin, &first}) {
    EXPECT_EQ(Simulate(*strategy, 7, "a: yield until x | b: write x"), "ba");
    EXPECT_EQ(Simulate(*strategy, 7,
                       "a: yield until x; write y | b: yield until y |"
                       "c: write x"),
              "caab");
  }
}

TEST(SpinPolicy, DemotesButNeverDisables) {
  FirstStrategy first;
  // Both yield: the round is over, and the one that yielded last goes on.
  EXPECT_EQ(Simulate(first, 0, "a: yield; write x | b: yield; write x"),
            "bbaa");
}

TEST(SpinPolicy, ARoundWithoutChangeIsALivelock) {
  RandomStrategy random;
  EXPECT_EQ(Simulate(random, 3, "a: yield until x | b: yield until y"), "~");
  // The change before it does not count, and the reader does not help.
  EXPECT_EQ(Simulate(random, 3, "a: write z; yield until x | b: yield; read z")
                .back(),
            '~');
}

TEST(Simulator, TellsADeadlock) {
  RoundRobinStrategy round_robin;
  EXPECT_EQ(Simulate(round_robin, 0,
                     "a: lock m; lock n; unlock n; unlock m |"
                     "b: lock n; lock m; unlock m; unlock n"),
            "ab!");
}

}  // namespace
}  // namespace fairlead::sched
