#include "explore/campaign/forecast_list.h"

#include <algorithm>

#include "explore/campaign/apart_list.h"

namespace fairlead::explore {
namespace {

bool IsSameRace(const finding::Finding& a, const finding::Finding& b) {
  return a.kind == finding::Kind::kRace && b.kind == finding::Kind::kRace &&
         std::ranges::is_permutation(a.sites, b.sites, {},
                                     &finding::Where::place,
                                     &finding::Where::place);
}

std::optional<size_t> RaceShownBy(const finding::Finding& race,
                                  const std::vector<Found>& findings) {
  const auto shown = std::ranges::find_if(findings, [&](const Found& found) {
    return IsSameRace(race, found.finding);
  });
  if (shown == findings.end()) return {};
  return static_cast<size_t>(shown - findings.begin());
}

// Which of its findings an execution that forced this prediction has shown.
std::optional<size_t> ApartShownBy(const finding::Finding& prediction,
                                   const std::vector<Found>& findings) {
  if (prediction.kind != finding::Kind::kTogether) return {};
  const auto shown = std::ranges::find_if(findings, [&](const Found& found) {
    return found.finding.kind == finding::Kind::kTogether &&
           ApartList::FingerprintOf(prediction.message) ==
               found.finding.fingerprint;
  });
  if (shown == findings.end()) return {};
  return static_cast<size_t>(shown - findings.begin());
}

}  // namespace

const std::vector<Forecast>& ForecastList::Begin(
    const std::vector<Foretold>& targets) {
  if (!list_.empty()) return list_;
  for (const Foretold& each : targets) {
    list_.push_back({.finding = each.finding});
    finding::Aim& aim = *list_.back().finding.witness.aim;
    aim.tried = {"not forced: the search ended before"};
  }
  return list_;
}

void ForecastList::Take(const TargetPlanner& planner) {
  for (size_t i = 0; i < list_.size(); ++i) {
    finding::Finding& finding = list_[i].finding;
    finding::Aim& aim = *finding.witness.aim;
    if (!planner.IsForced(i)) {
      aim.tried = {fmt::format("not forced: only the first {} are",
                               TargetPlanner::kMaxTargets)};
      continue;
    }
    const Attempts& attempts = planner.AttemptsAt(i);
    aim.attempts = attempts.num_made();
    aim.tried = attempts.Tried();
    if (attempts.state() == Attempts::State::kHarmless ||
        attempts.state() == Attempts::State::kGivenUp) {
      finding.verdict = finding::Verdict::kRefuted;
    }
  }
}

std::vector<Forecast> ForecastList::End(const std::vector<Found>& findings) {
  for (Forecast& each : list_) {
    const auto shown = shown_.find(each.finding.fingerprint);
    each.shown_by = shown != shown_.end() ? std::optional(shown->second)
                                          : RaceShownBy(each.finding, findings);
    if (!each.shown_by) each.shown_by = ApartShownBy(each.finding, findings);
  }
  return std::move(list_);
}

}  // namespace fairlead::explore
