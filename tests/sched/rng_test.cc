// Tests of sched/rng.h.

#include "sched/rng.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <set>

namespace fairlead::sched {
namespace {

TEST(Rng, NeighbouringSeedsShareNothing) {
  // First outputs of seeds s and s+1 differ in 32 of 64 bits on average; the
  // mean over 1000 pairs has deviation 4/sqrt(1000) = 0.13.
  int different_bits = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    different_bits += std::popcount(Rng(seed).Next() ^ Rng(seed + 1).Next());
  }
  EXPECT_NEAR(different_bits / 1000.0, 32, 0.6);
}

TEST(Rng, BelowIsUniform) {
  // 70000 draws over 7: 10000 each, deviation 93; 4 deviations = 370.
  Rng rng(1);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70'000; ++i) ++counts[rng.Below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 370);
}

TEST(Rng, BelowRejectsTheSurplusOfALargeBound) {
  // With a bound of 3 * 2^62 a quarter of the raw values is surplus; without
  // rejection the multiples of 3 would come up twice as often as the others.
  Rng rng(1);
  const uint64_t bound = uint64_t{3} << 62;
  std::array<int, 3> counts{};
  for (int i = 0; i < 30'000; ++i) ++counts[rng.Below(bound) % 3];
  // 10000 each, deviation 82.
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 330);
}

TEST(Rng, BelowOneIsAlwaysZero) {
  Rng rng(5);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(rng.Below(1), 0u);
}

TEST(Rng, IsKnownAtCompileTime) {
  // Schedules recorded by seed alone stay valid only if these never change.
  static_assert(Rng(0).Next() == 0x99ec5f36cb75f2b4);
  static_assert(Mix(0x9e3779b97f4a7c15) == 0xe220a8397b1dcdaf);
}

}  // namespace
}  // namespace fairlead::sched
