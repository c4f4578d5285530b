// Tests of sched/factory.h.

#include "sched/factory.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/sched/simulator.h"

namespace fairlead::sched {
namespace {

TEST(Factory, MakesEveryStrategyOfTheTable) {
  StrategyStorage storage;
  for (const StrategyEntry& entry : kStrategies) {
    SCOPED_TRACE(entry.name);
    Strategy* strategy = storage.Make(entry.id);
    ASSERT_NE(strategy, nullptr);
    EXPECT_EQ(Simulate(*strategy, 1, "a: write x | b: yield until x"), "ab");
  }
}

TEST(Factory, FindsByNameAndNumber) {
  EXPECT_EQ(FindStrategy("random")->id, StrategyId::kRandom);
  EXPECT_EQ(FindStrategy(StrategyId::kFirst)->name, "first");
  EXPECT_EQ(FindStrategy("pc"), nullptr);
}

TEST(Factory, RefusesANumberOfNoStrategy) {
  StrategyStorage storage;
  EXPECT_EQ(storage.Make(StrategyId{0}), nullptr);
  EXPECT_EQ(storage.Make(StrategyId{9999}), nullptr);
}

TEST(Factory, NamesAndNumbersAreUnique) {
  std::set<std::string_view> names;
  std::set<StrategyId> ids;
  for (const StrategyEntry& entry : kStrategies) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_TRUE(ids.insert(entry.id).second) << entry.name;
  }
}

}  // namespace
}  // namespace fairlead::sched
