#include "explore/campaign/tally.h"

#include <gtest/gtest.h>

namespace fairlead::explore {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// One that was cut when the campaign's time was over, and had begun so long
// before.
bool IsCutByTheEnd(std::chrono::nanoseconds had) {
  abi::Plan plan = {};
  plan.max_ns = static_cast<uint64_t>(had.count());
  Result<ControlMemory> memory = ControlMemory::Create(plan, {});
  EXPECT_TRUE(memory);
  Finished finished;
  finished.executed.memory =
      std::make_shared<const ControlMemory>(*std::move(memory));
  finished.executed.stopped_by = StoppedBy::kTimeout;
  Progress progress;
  progress.executions = 100;
  progress.elapsed = seconds(10);
  return explore::IsCutByTheEnd({}, finished, {}, progress);
}

TEST(Tally, WhatHadLittleTimeWasCutByTheEnd) {
  EXPECT_TRUE(IsCutByTheEnd(milliseconds(1)));
  EXPECT_TRUE(IsCutByTheEnd(milliseconds(1500)));
}

// The others took 100 ms each.
TEST(Tally, WhatHadFarMoreTimeThanOthersNeedCounts) {
  EXPECT_FALSE(IsCutByTheEnd(seconds(2)));
  EXPECT_FALSE(IsCutByTheEnd(seconds(50)));
}

}  // namespace
}  // namespace fairlead::explore
