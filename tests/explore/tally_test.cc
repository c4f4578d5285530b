#include "explore/campaign/tally.h"

#include <gtest/gtest.h>

namespace fairlead::explore {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Finished CutAfter(std::chrono::nanoseconds had) {
  abi::Plan plan = {};
  plan.max_ns = static_cast<uint64_t>(had.count());
  Result<ControlMemory> memory = ControlMemory::Create(plan, {});
  EXPECT_TRUE(memory);
  Finished finished;
  finished.executed.memory =
      std::make_shared<const ControlMemory>(*std::move(memory));
  finished.executed.stopped_by = StoppedBy::kTimeout;
  return finished;
}

// One that was cut when the campaign's time was over, and had begun so long
// before.
bool IsCutByTheEnd(std::chrono::nanoseconds had) {
  Progress progress;
  progress.executions = 100;
  progress.elapsed = seconds(10);
  return explore::IsCutByTheEnd({}, CutAfter(had), {}, progress);
}

TEST(Tally, WhatHadLittleTimeWasCutByTheEnd) {
  EXPECT_TRUE(IsCutByTheEnd(milliseconds(1)));
  EXPECT_TRUE(IsCutByTheEnd(milliseconds(1500)));
}

// What cut executions took says nothing about how long the others need: nine of
// 2,816 that had two seconds each, and one of ten.
TEST(Tally, WhatMayNeverEndIsNotCountedAmongTheOthers) {
  const Finished finished = CutAfter(seconds(2));
  const auto far_more = [&](uint64_t executions, uint64_t cut, auto elapsed) {
    Progress progress;
    progress.executions = executions;
    progress.cut = cut;
    progress.elapsed = elapsed;
    return HadFarMoreTime(finished, progress);
  };
  EXPECT_TRUE(far_more(2816, 9, seconds(60)));
  EXPECT_TRUE(far_more(10, 1, milliseconds(2100)));
  EXPECT_FALSE(far_more(10, 1, seconds(11)));  // the others take a second
  EXPECT_FALSE(far_more(3, 3, seconds(6)));    // there are no others
}

// The others took 100 ms each.
TEST(Tally, WhatHadFarMoreTimeThanOthersNeedCounts) {
  EXPECT_FALSE(IsCutByTheEnd(seconds(2)));
  EXPECT_FALSE(IsCutByTheEnd(seconds(50)));
}

}  // namespace
}  // namespace fairlead::explore
