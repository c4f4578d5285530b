// Tests of explore/run/strategy_spec.h, explore/plan/learnt.h and
// explore/plan/steady_planner.h.

#include "explore/plan/planner.h"

#include <gtest/gtest.h>

#include <set>

#include "explore/plan/learnt.h"
#include "explore/plan/steady_planner.h"
#include "explore/run/seeds.h"

namespace fairlead::explore {
namespace {

using sched::StrategyId;

TEST(StrategySpec, ReadsWhatItWrites) {
  struct Case {
    const char* text;
    const char* shortest;
    StrategyId id;
    StrategyParams params;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"random", "random", StrategyId::kRandom, {}},
           {"pct", "pct", StrategyId::kPct, {2, 0}},
           {"pct:3", "pct:c=3", StrategyId::kPct, {3, 0}},
           {"pct:3,100", "pct:c=3,k=100", StrategyId::kPct, {3, 100}},
           {"pct:k=0x10", "pct:k=16", StrategyId::kPct, {2, 16}},
           {"randdelay:delay=7",
            "randdelay:delay=7",
            StrategyId::kRandDelay,
            {50, 7}},
       }) {
    SCOPED_TRACE(c.text);
    const Result<StrategySpec> spec = ParseStrategySpec(c.text);
    ASSERT_TRUE(spec) << spec.error().Text();
    EXPECT_EQ(spec->id, c.id);
    EXPECT_EQ(spec->params, c.params);
    EXPECT_EQ(FormatStrategySpec(*spec), c.shortest);
    EXPECT_EQ(*ParseStrategySpec(c.shortest), *spec);
  }
}

TEST(StrategySpec, RefusesWhatItDoesNotKnow) {
  for (const char* text : {"", "clever", "replay", "prefix", "random:1",
                           "pct:d=3", "pct:x", "pct:1,2,3", "pct:", ":3",
                           "pct:65", "pct:k=99999999999", "surw:65536"}) {
    EXPECT_FALSE(ParseStrategySpec(text)) << text;
  }
}

Observed OfLength(uint64_t steps) {
  Observed observed;
  observed.steps = steps;
  observed.num_threads = 2;
  return observed;
}

TEST(SteadyPlanner, CountsItsExecutions) {
  SteadyPlanner planner(DefaultSpec(StrategyId::kRandom), 7);
  EXPECT_EQ(planner.Next()->number, 0u);
  EXPECT_EQ(planner.Next()->number, 1u);
}

// Campaigns with neighbouring seeds have no execution in common.
TEST(Planners, ShareNoSeedWithTheirNeighbours) {
  for (const std::string_view spec : {"random", "pct:3", "pos", "auto"}) {
    std::set<uint64_t> seen;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
      const std::unique_ptr<Planner> planner = *MakePlanner(spec, seed);
      for (int i = 0; i < 200; ++i) {
        const Planned planned = *planner->Next();
        EXPECT_TRUE(seen.insert(planned.seed).second) << spec << " " << seed;
        planner->Learn(planned, OfLength(100));
      }
    }
  }
}

TEST(Seeds, DifferByCampaignUseAndNumber) {
  std::set<uint64_t> seen;
  for (uint64_t campaign = 0; campaign < 50; ++campaign) {
    for (const SeedFor use : {SeedFor::kSearch, SeedFor::kReference,
                              SeedFor::kTarget, SeedFor::kProfile}) {
      for (uint64_t number = 0; number < 50; ++number) {
        EXPECT_TRUE(seen.insert(SeedOf(campaign, use, number)).second);
      }
    }
  }
}

TEST(SteadyPlanner, LearnsTheLengthThatPctNeeds) {
  SteadyPlanner planner(DefaultSpec(StrategyId::kPct), 1);
  const Planned first = *planner.Next();
  EXPECT_EQ(first.strategy.params[1], 0u);  // no change points yet
  planner.Learn(first, OfLength(100));
  planner.Learn(*planner.Next(), OfLength(80));
  EXPECT_EQ(planner.Next()->strategy.params[1], 100u);
}

TEST(SteadyPlanner, ForgetsAnOutlier) {
  SteadyPlanner planner(DefaultSpec(StrategyId::kPct), 1);
  planner.Learn(*planner.Next(), OfLength(1'000'000));
  for (int i = 0; i < 10; ++i) planner.Learn(*planner.Next(), OfLength(100));
  EXPECT_EQ(planner.Next()->strategy.params[1], 100u);
}

TEST(SteadyPlanner, KeepsWhatTheUserGave) {
  SteadyPlanner planner(*ParseStrategySpec("pct:k=5"), 1);
  planner.Learn(*planner.Next(), OfLength(100));
  EXPECT_EQ(planner.Next()->strategy.params[1], 5u);
}

TEST(SteadyPlanner, TellsWhenTheLastNewBehaviourCame) {
  SteadyPlanner planner(DefaultSpec(StrategyId::kRandom), 1);
  std::vector<uint64_t> features(abi::kFeatureWords);
  for (uint64_t i = 0; i < 10; ++i) {
    const Planned planned = *planner.Next();
    EXPECT_NE(planned.flags & abi::kPlanFeatures, 0u);
    features[i / 4] = 3;
    Observed observed = OfLength(10);
    observed.features = features;
    planner.Learn(planned, observed);
  }
  EXPECT_EQ(planner.num_behaviours(), 6u);
}

TEST(Learnt, WeighsThreadsByWhatTheyAndTheirChildrenDo) {
  abi::OperationCount counts[3] = {};
  counts[0].by_bucket[0] = 5;  // main creates both
  counts[1].by_bucket[0] = 3;
  counts[1].by_bucket[4] = 10;
  counts[2].by_bucket[0] = 2;
  abi::ThreadEntry threads[3] = {};
  threads[0].parent = abi::Tid::kNone;
  Observed observed;
  observed.num_threads = 3;
  observed.counts = counts;
  observed.threads = threads;
  Learnt learnt;
  EXPECT_TRUE(learnt.Weights(1).empty());
  learnt.Learn(observed);
  const auto weights = learnt.Weights(1);
  ASSERT_EQ(weights.size(), 3u);
  EXPECT_EQ(weights[0].weight, 10u);
  EXPECT_EQ(weights[1].weight, 3u);
  EXPECT_EQ(weights[2].parent, abi::Tid::kMain);
  EXPECT_EQ(learnt.Weights(1 << 4)[0].weight, 10u);
  EXPECT_EQ(learnt.shared_buckets(), 1u);
}

TEST(MakePlanner, MakesOneForEveryStrategyThatCanBeAskedFor) {
  for (const char* name :
       {"random", "pct:1", "pctlarge", "randdelay", "pos", "surw"}) {
    const auto planner = MakePlanner(name, 1);
    ASSERT_TRUE(planner) << name;
    EXPECT_TRUE((*planner)->Next().has_value());
  }
  for (const char* name : {"auto", "chess", "chess:1"}) {
    EXPECT_TRUE(MakePlanner(name, 1)) << name;
  }
  EXPECT_FALSE(MakePlanner("clever", 1));
  EXPECT_FALSE(MakePlanner("auto:3", 1));
  EXPECT_NE(MakePlanner("clever", 1).error().hint().find("auto"),
            std::string::npos);
  EXPECT_NE(PlannerHelp().find("  auto  "), std::string::npos);
}

}  // namespace
}  // namespace fairlead::explore
