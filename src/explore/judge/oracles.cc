#include "explore/judge/oracles.h"

#include <algorithm>
#include <functional>

#include "explore/judge/oracle_watch.h"

namespace fairlead::explore {
namespace {

using End = Judgement::End;

std::vector<std::unique_ptr<Oracle>> MakeAll(const OracleSetting& setting) {
  std::vector<std::unique_ptr<Oracle>> list;
#define FL_ORACLE(name) list.push_back(Make##name##Oracle(setting));
#include "explore/judge/oracles.inc"
#undef FL_ORACLE
  std::erase(list, nullptr);
  return list;
}

Judgement Failed(Failure failure) {
  return {.end = End::kFailed, .failure = std::move(failure)};
}

}  // namespace

Oracles::Oracles(Expectations expectations, SerialReferences* references)
    : Oracles(AsTheyAre::kYes, MakeAll({std::move(expectations), references})) {
}

Oracles::Oracles(AsTheyAre, std::vector<std::unique_ptr<Oracle>> list)
    : list_(std::move(list)) {
  const auto first = std::ranges::find_if(
      list_, [](const auto& oracle) { return oracle->Compares(); });
  num_alone_ = static_cast<size_t>(first - list_.begin());
  for (const auto& oracle : list_) needs_.Add(oracle->Needs());
}

void Oracles::Watch(Watched& watched) {
  OracleWatch::Observers observers;
  for (const auto& oracle : list_) observers.push_back(oracle->Watch());
  if (std::ranges::all_of(observers, std::logical_not())) return;
  watched.Add(OracleWatch::kId,
              std::make_unique<OracleWatch>(std::move(observers)));
}

Judgement Oracles::Judge(const Finished& finished, const Watched* watched) {
  return Ask(finished, watched, list_.size()).judgement;
}

bool Oracles::CanBeReference(const Finished& finished, const Watched* watched) {
  const Asked asked = Ask(finished, watched, num_alone_);
  return asked.all && (!asked.judgement.failure || asked.judgement.silent);
}

Oracles::Asked Oracles::Ask(const Finished& finished, const Watched* watched,
                            size_t num_to_ask) {
  OutcomeJudgement outcome = JudgeOutcome(finished.executed);
  if (outcome.end != End::kOk && outcome.end != End::kFailed) {
    return {{.end = outcome.end,
             .reason = std::move(outcome.reason),
             .error = std::move(outcome.error)}};
  }
  Evidence evidence = {.finished = finished, .outcome = outcome};
  const OracleWatch* watch =
      watched == nullptr ? nullptr : watched->Itself<OracleWatch>();
  std::optional<Judgement> silent;
  for (size_t i = 0; i < num_to_ask; ++i) {
    evidence.watched = watch == nullptr ? nullptr : watch->For(i);
    Opinion opinion = list_[i]->Judge(evidence);
    if (opinion.none) return {*std::move(opinion.none)};
    for (Failure& failure : opinion.failures) {
      if (!silent_.contains(failure.key)) return {Failed(std::move(failure))};
      if (!silent) silent = Failed(std::move(failure));
      silent->silent = true;
      if (opinion.explains_exit) evidence.exit_is_explained = true;
    }
    if (silent && opinion.is_last) return {*std::move(silent)};
  }
  return {silent ? *std::move(silent) : Judgement(), true};
}

}  // namespace fairlead::explore
