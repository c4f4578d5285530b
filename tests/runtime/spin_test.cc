// When a thread counts as spinning: runtime/thread/spin.h.

#include "runtime/thread/spin.h"

#include <gtest/gtest.h>

namespace fairlead::rt {
namespace {

constexpr uint64_t kSite = 7;
constexpr uint64_t kAddress = 0x1000;

// Rounds of a loop that reads the same value, so many instructions each, until
// the thread is taken for one that spins; 0 = not within `limit`.
int RoundsUntilSpin(uint64_t instructions, int limit) {
  SpinWatch watch = {};
  uint64_t executed = 1000;
  for (int round = 1; round <= limit; ++round) {
    executed += instructions;
    if (watch.Saw(kSite, kAddress, 0, executed)) return round;
  }
  return 0;
}

TEST(SpinWatch, NoticesALoopThatOnlyReads) {
  EXPECT_EQ(RoundsUntilSpin(4, 100), 7);
}

// What it does besides may be writes to memory whose sites are idle.
TEST(SpinWatch, GivesTimeToALoopThatWorks) {
  EXPECT_EQ(RoundsUntilSpin(500, 30), 0);
}

// A spin may back off between its looks.
TEST(SpinWatch, NoticesALoopThatWorksForLong) {
  EXPECT_EQ(RoundsUntilSpin(500, 100), 37);
}

// Wherever the linker puts what is polled, and whatever number a site has.
TEST(SpinWatch, NoticesALoopThatLooksAtTwoPlaces) {
  for (uint64_t offset = 0; offset < 0x1000; offset += 8) {
    SpinWatch watch = {};
    bool spins = false;
    for (int round = 0; round < 10 && !spins; ++round) {
      watch.Saw(kSite, kAddress + offset, 0);
      spins = watch.Saw(kSite + 1, kAddress + offset + 8, 0);
    }
    EXPECT_TRUE(spins) << offset;
  }
}

TEST(SpinWatch, BeginsAnewAfterAChange) {
  SpinWatch watch = {};
  for (int round = 0; round < 6; ++round) {
    EXPECT_FALSE(watch.Saw(kSite, kAddress, 0));
  }
  watch.Progressed();
  EXPECT_FALSE(watch.Saw(kSite, kAddress, 0));
}

TEST(SpinWatch, LooksAtWhatItReadsInVain) {
  SpinWatch watch = {};
  watch.Saw(kSite, kAddress, 0);
  EXPECT_FALSE(watch.LooksAt(kAddress, 4)) << "has read it once";
  watch.Saw(kSite, kAddress, 0);
  EXPECT_TRUE(watch.LooksAt(kAddress, 4));
  EXPECT_TRUE(watch.LooksAt(kAddress + 4, 1)) << "of the same word";
  EXPECT_TRUE(watch.LooksAt(kAddress - 16, 17)) << "the last word";
  EXPECT_FALSE(watch.LooksAt(kAddress - 16, 16));
  EXPECT_FALSE(watch.LooksAt(kAddress + 8, 4));
  watch.Progressed();
  EXPECT_FALSE(watch.LooksAt(kAddress, 4));
}

}  // namespace
}  // namespace fairlead::rt
