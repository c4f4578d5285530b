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
    if (word == "deadlock") return Outcome::kDeadlock;
    if (word == "livelock") return Outcome::kHang;
    if (word == "exit" || word == "output") return Outcome::kWrongEnd;
    return Outcome::kCrash;
  }
  return forced.reached == explore::Reached::kRealised ? Outcome::kNothing
                                                       : Outcome::kNotRealised;
}

}  // namespace

std::string_view WordOf(Outcome outcome) {
  switch (outcome) {
    case Outcome::kCrash:
      return "crash";
    case Outcome::kDeadlock:
      return "deadlock";
    case Outcome::kWrongEnd:
      return "wrong end";
    case Outcome::kHang:
      return "hang";
    case Outcome::kNothing:
      return "nothing observable";
    case Outcome::kNotRealised:
      return "not realised";
    case Outcome::kNotForced:
      return "not forced";
  }
  return "not forced";
}

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
