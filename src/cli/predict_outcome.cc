#include "cli/predict_outcome.h"

#include <algorithm>
#include <utility>

#include "base/exit_code.h"

namespace fairlead::cli {
namespace {

Outcome OutcomeOf(const explore::Forced& forced) {
  const std::string_view word = forced.verdict.word;
  if (word == "cut") return Outcome::kHang;
  if (forced.verdict.exit == ExitCode::kFindings) {
    const auto kind = finding::FindFindingKind(word);
    return kind ? finding::OutcomeOf(*kind) : Outcome::kCrash;
  }
  return forced.reached == explore::Reached::kRealised ? Outcome::kNothing
                                                       : Outcome::kNotRealised;
}

}  // namespace

Result<std::vector<ForcedPrediction>> ForceAll(
    std::vector<analysis::Prediction> predictions,
    const explore::Order& order) {
  std::vector<ForcedPrediction> all;
  for (analysis::Prediction& prediction : predictions) {
    const Result<explore::Forced> forced =
        explore::ForceTarget(prediction.target, order, {}, {});
    if (!forced) return forced.error();
    all.push_back({std::move(prediction), OutcomeOf(*forced), forced->attempts,
                   forced->verdict.sentence, all.size()});
    if (forced->verdict.word == "interrupted") break;
  }
  std::ranges::sort(all, {}, [](const ForcedPrediction& each) {
    return std::pair(each.outcome, each.number);
  });
  return all;
}

}  // namespace fairlead::cli
