#include "sched/serial_strategy.h"

#include <gtest/gtest.h>

#include <vector>

namespace fairlead::sched {
namespace {

// A thread that would do this next.
Candidate Next(uint16_t tid, Op op) {
  return {Tid{tid}, op, ObjId{0}, SiteId{0}};
}

// Who goes on, if these can and `running` came to the gate.
Tid Picked(SerialStrategy& strategy, std::vector<Candidate> enabled,
           uint16_t running) {
  const Point point = {.step = Step{0},
                       .enabled = enabled,
                       .running = Tid{running},
                       .count = 1,
                       .site = SiteId{0},
                       .yielding = false};
  return enabled[strategy.Pick(point)].tid;
}

SerialStrategy Begun() {
  SerialStrategy strategy;
  strategy.Begin({});
  return strategy;
}

TEST(SerialStrategy, RunsAThreadUntilItMustWait) {
  SerialStrategy strategy = Begun();
  EXPECT_EQ(Picked(strategy, {Next(1, Op::kLock), Next(2, Op::kLock)}, 2),
            Tid{2});
  EXPECT_EQ(Picked(strategy, {Next(1, Op::kLock), Next(3, Op::kLock)}, 2),
            Tid{1});
}

// What is left in the background is done before the next request.
TEST(SerialStrategy, LetsARequestInWhenNobodyElseCanMove) {
  SerialStrategy strategy = Begun();
  const Candidate begins = Next(1, Op::kRequestBegin);
  EXPECT_EQ(Picked(strategy, {begins, Next(2, Op::kLock)}, 1), Tid{2});
  EXPECT_EQ(Picked(strategy, {begins, Next(2, Op::kRequestBegin)}, 2), Tid{1});
}

TEST(SerialStrategy, DoesNotWaitForEverForAThreadThatNeverRests) {
  SerialStrategy strategy = Begun();
  const std::vector<Candidate> both = {Next(1, Op::kRequestBegin),
                                       Next(2, Op::kLock)};
  for (uint64_t i = 0; i < SerialStrategy::kPatience; ++i) {
    ASSERT_EQ(Picked(strategy, both, 2), Tid{2}) << i;
  }
  EXPECT_EQ(Picked(strategy, both, 2), Tid{1});
  EXPECT_EQ(Picked(strategy, both, 2), Tid{2});  // the next waits as long
}

// Time-outs and the like are as in an ordinary execution.
TEST(SerialStrategy, TakesTheFirstOption) {
  SerialStrategy strategy = Begun();
  const std::vector<Candidate> options = {Next(1, Op::kWait),
                                          Next(1, Op::kWait)};
  const Point point = {.step = Step{0},
                       .enabled = options,
                       .running = Tid{1},
                       .count = 1,
                       .site = SiteId{0},
                       .yielding = false};
  EXPECT_EQ(strategy.Pick(point), 0u);
}

}  // namespace
}  // namespace fairlead::sched
