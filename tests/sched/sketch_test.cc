// Tests of the strategy that follows as much of a schedule as it can.

#include "sched/sketch_strategy.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sched/random_strategy.h"
#include "tests/sched/simulator.h"

namespace fairlead::sched {
namespace {

constexpr char kProgram[] =
    "a: lock m; write x; unlock m; read y; read x |"
    "b: write z; lock m; write x; unlock m; write y |"
    "c: read x; read x; read z";

using Records = std::vector<abi::ChoiceRecord>;

Records Sorted(Records records) {
  std::ranges::sort(records, {}, [](const abi::ChoiceRecord& record) {
    return std::tuple(record.left, record.count, record.next != record.left);
  });
  return records;
}

std::string Follow(const Records& records, const ToyProgram& program) {
  SketchStrategy sketch;
  const Records sorted = Sorted(records);
  return Simulate(sketch, {.choices = sorted}, program);
}

TEST(SketchStrategy, RepeatsWhatItNamesInFull) {
  const ToyProgram program = ParseToy(kProgram);
  for (uint64_t seed = 0; seed < 200; ++seed) {
    RandomStrategy random;
    Records records;
    const std::string execution =
        Simulate(random, {.seed = seed}, program, &records);
    // Who is first of all is nobody's place.
    if (records.empty() || records[0].next != Tid{0}) continue;
    EXPECT_EQ(Follow(records, program), execution) << "seed " << seed;
  }
}

TEST(SketchStrategy, DoesNotPreemptWhereItNamesNothing) {
  const ToyProgram program = ParseToy("a: read x; read x | b: read x; read x");
  EXPECT_EQ(Follow({}, program), "aabb");
}

abi::ChoiceRecord Switch(Tid left, uint32_t count, Tid next,
                         SiteId anchor = SiteId::kNone) {
  return {.next = next,
          .left = left,
          .count = count,
          .anchor = anchor,
          .option = 0,
          .way = 0};
}

TEST(SketchStrategy, SwitchesAtThePlaceThatARecordNames) {
  const ToyProgram program = ParseToy("a: read x; read x | b: read x; read x");
  EXPECT_EQ(Follow({Switch(Tid{0}, 1, Tid{1})}, program), "abba");
}

TEST(SketchStrategy, LeavesOutWhatCannotBeHad) {
  const ToyProgram program =
      ParseToy("a: lock m; read x; unlock m | b: lock m; read x; unlock m");
  // b is not enabled while a holds the lock, and there is no thread 7.
  EXPECT_EQ(Follow({Switch(Tid{0}, 1, Tid{7})}, program), "aaabbb");
  EXPECT_EQ(Follow({Switch(Tid{7}, 1, Tid{0})}, program), "aaabbb");
  EXPECT_EQ(Follow({Switch(Tid{0}, 99, Tid{1})}, program), "aaabbb");
}

TEST(SketchStrategy, AnyPartOfAScheduleEnds) {
  const ToyProgram program = ParseToy(kProgram);
  RandomStrategy random;
  Records records;
  const std::string whole = Simulate(random, {.seed = 3}, program, &records);
  for (size_t left_out = 0; left_out < records.size(); ++left_out) {
    Records part = records;
    part.erase(part.begin() + static_cast<ptrdiff_t>(left_out));
    EXPECT_EQ(Follow(part, program).size(), whole.size());
  }
}

}  // namespace
}  // namespace fairlead::sched
