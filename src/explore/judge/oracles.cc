#include "explore/judge/oracles.h"

#include <algorithm>

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
    : list_(MakeAll({std::move(expectations), references})) {
  const auto first = std::ranges::find_if(
      list_, [](const auto& oracle) { return oracle->NeedsReferences(); });
  num_alone_ = static_cast<size_t>(first - list_.begin());
}

Judgement Oracles::Judge(const Finished& finished) {
  return Ask(finished, list_.size()).judgement;
}

bool Oracles::CanBeReference(const Finished& finished) {
  const Asked asked = Ask(finished, num_alone_);
  return asked.all && (!asked.judgement.failure || asked.judgement.silent);
}

Oracles::Asked Oracles::Ask(const Finished& finished, size_t num_to_ask) {
  OutcomeJudgement outcome = JudgeOutcome(finished.executed);
  if (outcome.end != End::kOk && outcome.end != End::kFailed) {
    return {{.end = outcome.end,
             .reason = std::move(outcome.reason),
             .error = std::move(outcome.error)}};
  }
  Evidence evidence = {.finished = finished, .outcome = outcome};
  std::optional<Judgement> silent;
  for (size_t i = 0; i < num_to_ask; ++i) {
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
