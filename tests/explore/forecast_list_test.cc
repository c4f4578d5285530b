// What becomes of predictions in a campaign.

#include "explore/campaign/forecast_list.h"

#include <gmock/gmock.h>

namespace fairlead::explore {
namespace {

using finding::Verdict;
using testing::ElementsAre;
using testing::HasSubstr;

// Predictions of the fingerprints 1, 2, …
std::vector<Foretold> Targets(size_t number) {
  std::vector<Foretold> targets(number);
  for (size_t i = 0; i < number; ++i) {
    Foretold& each = targets[i];
    each.target.steps.resize(2);
    each.target.steps[0].thread = "a";
    each.target.steps[1].thread = "b";
    each.finding.kind = finding::Kind::kRace;
    each.finding.verdict = Verdict::kPredicted;
    each.finding.fingerprint = i + 1;
    each.finding.sites = {{.place = {"a.c", static_cast<uint32_t>(i), 0}}};
    each.finding.witness.aim.emplace().target = each.target;
  }
  return targets;
}

Observed Ended(Observed::End end, bool realised) {
  Observed observed;
  observed.end = end;
  observed.target.success = realised ? 1 : 0;
  observed.target.in_sight = 0b01;
  observed.target.best = 0b01;
  return observed;
}

TEST(ForecastList, EveryPredictionHasAnEnd) {
  // In this order: never realised, realised without harm, made it fail.
  const std::vector<Foretold> targets = Targets(3);
  ForecastList list;
  EXPECT_EQ(list.Begin(targets).size(), 3u);
  TargetPlanner planner(targets, 1);
  while (const std::optional<Planned> planned = planner.Next()) {
    const bool fails = planned->arm == 2;
    if (fails) list.ShownBy(planned->aim->prediction, 5);
    planner.Learn(*planned,
                  Ended(fails ? Observed::End::kFailed : Observed::End::kOk,
                        planned->arm != 0));
  }
  list.Take(planner);
  const std::vector<Forecast> ended = list.End({});
  ASSERT_EQ(ended.size(), 3u);
  EXPECT_EQ(ended[0].finding.verdict, Verdict::kRefuted);
  EXPECT_THAT(ended[0].finding.witness.aim->tried,
              ElementsAre("it did not happen in 2 attempts",
                          HasSubstr("step 2 (b: read) never came")));
  EXPECT_EQ(ended[1].finding.verdict, Verdict::kRefuted);
  EXPECT_THAT(ended[1].finding.witness.aim->tried,
              ElementsAre("it happened in attempt 1, and nothing failed"));
  EXPECT_EQ(ended[2].finding.verdict, Verdict::kPredicted);
  EXPECT_EQ(ended[2].shown_by, 5u);
}

TEST(ForecastList, WhatWasNotForcedStaysPredicted) {
  const std::vector<Foretold> targets = Targets(TargetPlanner::kMaxTargets + 1);
  ForecastList list;
  list.Begin(targets);
  TargetPlanner planner(targets, 1);
  list.Take(planner);
  const std::vector<Forecast> ended = list.End({});
  ASSERT_EQ(ended.size(), targets.size());
  for (const Forecast& each : ended) {
    EXPECT_EQ(each.finding.verdict, Verdict::kPredicted);
    EXPECT_THAT(each.finding.witness.aim->tried,
                ElementsAre(HasSubstr("not forced")));
  }
}

TEST(ForecastList, ARaceThatWasSeenShowsThePredictedOne) {
  const std::vector<Foretold> targets = Targets(2);
  ForecastList list;
  list.Begin(targets);
  Found seen;
  seen.finding.kind = finding::Kind::kRace;
  seen.finding.sites = targets[1].finding.sites;
  const std::vector<Forecast> ended = list.End({seen});
  EXPECT_EQ(ended[0].shown_by, std::nullopt);
  EXPECT_EQ(ended[1].shown_by, 0u);
}

}  // namespace
}  // namespace fairlead::explore
