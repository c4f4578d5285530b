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
  return misuse == abi::Misuse::kUseAfterFree ||
         misuse == abi::Misuse::kDoubleFree || misuse == abi::Misuse::kBadFree;
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

Result<std::vector<ForcedPrediction>> ForceAll(
    std::vector<analysis::Prediction> predictions, const explore::Order& order,
    const OnForced& on_forced) {
  std::vector<ForcedPrediction> all;
  for (analysis::Prediction& prediction : predictions) {
    const Result<explore::Forced> forced =
        explore::ForceTarget(prediction.target, order, {}, {});
    if (!forced) return forced.error();
    if (Status done = on_forced(prediction, *forced); !done) {
      return done.error();
    }
    all.push_back({std::move(prediction), OutcomeOf(*forced), forced->attempts,
                   forced->verdict.sentence, all.size()});
    if (forced->verdict.word == explore::VerdictWord::kInterrupted) break;
  }
  std::ranges::sort(all, {}, [](const ForcedPrediction& each) {
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
