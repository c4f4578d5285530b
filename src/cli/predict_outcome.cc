#include "cli/predict_outcome.h"

#include <algorithm>
#include <utility>

#include "base/exit_code.h"

namespace fairlead::cli {
namespace {

// A verdict calls these a misuse, like others.
bool DamagesMemory(const explore::Forced& forced) {
  if (!forced.last) return false;
  const abi::Misuse misuse = forced.last->outcome.misuse;
  switch (misuse) {
    case abi::Misuse::kUseAfterFree:
    case abi::Misuse::kDoubleFree:
    case abi::Misuse::kBadFree:
    case abi::Misuse::kOutOfBounds:
    case abi::Misuse::kUninitialised:
    case abi::Misuse::kUseAfterClose:
      return true;
    default:
      return false;
  }
}

Outcome OutcomeOf(const explore::Forced& forced) {
  const explore::VerdictWord word = forced.verdict.word;
  if (word == explore::VerdictWord::kCut) return Outcome::kHang;
  if (forced.verdict.exit == ExitCode::kFindings) {
    if (DamagesMemory(forced)) return Outcome::kCrash;
    const auto kind = finding::FindFindingKind(WordOf(word));
    return kind ? finding::OutcomeOf(*kind) : Outcome::kCrash;
  }
  return forced.reached == explore::Reached::kRealised ? Outcome::kNothing
                                                       : Outcome::kNotRealised;
}

}  // namespace

Result<ForcedAll> ForceAll(std::vector<analysis::Prediction> predictions,
                           const explore::Order& order,
                           const OnForced& on_forced) {
  ForcedAll all;
  for (analysis::Prediction& prediction : predictions) {
    const size_t number = all.predictions.size();
    if (all.stopped) {
      all.predictions.push_back(
          {.prediction = std::move(prediction), .number = number});
      continue;
    }
    const Result<explore::Forced> forced =
        explore::ForceTarget(prediction.target, order, {}, {});
    if (!forced) return forced.error();
    if (Status done = on_forced(prediction, *forced); !done) {
      return done.error();
    }
    all.stopped = forced->stopped;
    // Stopped or not, what has failed has failed.
    const bool known =
        !forced->stopped || forced->verdict.exit == ExitCode::kFindings;
    all.num_forced += known;
    all.predictions.push_back({std::move(prediction),
                               known ? OutcomeOf(*forced) : Outcome::kNotForced,
                               forced->attempts, forced->verdict.sentence,
                               number});
  }
  all.stopped = all.num_forced < all.predictions.size();
  std::ranges::sort(all.predictions, {}, [](const ForcedPrediction& each) {
    return std::pair(each.outcome, each.number);
  });
  return all;
}

report::Prediction ReportOf(const ForcedPrediction& forced,
                            const trace::Names& names) {
  const analysis::Prediction& prediction = forced.prediction;
  return {.analysis = std::string(prediction.analysis),
          .kind = std::string(prediction.kind),
          .subject = analysis::SubjectOf(prediction, names),
          .message = analysis::SentenceOf(prediction, names),
          .steps = analysis::StepLines(prediction, names),
          .seen = prediction.seen,
          .likely = prediction.likely,
          .target = prediction.target,
          .outcome = forced.outcome,
          .attempts = forced.attempts,
          .said = forced.said};
}

}  // namespace fairlead::cli
