#include "report/predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"

namespace fairlead::report {
namespace {

// One line a step, in the order that is to be feared.
std::string Text(const Prediction& prediction, size_t number) {
  std::string text = fmt::format(
      "{}. {} ({}{})\n", number, prediction.subject, prediction.analysis,
      prediction.seen ? ", seen in this execution" : "");
  for (const std::string& line : prediction.steps) {
    text += "     " + line + "\n";
  }
  if (prediction.outcome == finding::Outcome::kNotForced) return text;
  text += fmt::format("     forced: {} (after {})", WordOf(prediction.outcome),
                      Counted(prediction.attempts, "attempt"));
  if (IsObservable(prediction.outcome)) text += ": " + prediction.said;
  return text + "\n";
}

Json PredictionJson(const Prediction& prediction) {
  return {{"outcome", WordOf(prediction.outcome)},
          {"analysis", prediction.analysis},
          {"kind", prediction.kind},
          {"message", prediction.message},
          {"seen", prediction.seen},
          {"likely", prediction.likely},
          {"target", finding::TargetJson(prediction.target)}};
}

std::string CountedBy(const std::map<std::string_view, uint64_t>& numbers) {
  std::string text;
  for (const auto& [word, number] : numbers) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", word, number);
  }
  return text;
}

std::string Summary(const Predictions& all) {
  const size_t size = all.predictions.size();
  std::string text;
  if (size == 0) {
    text = fmt::format("nothing predicted from {}",
                       Counted(all.num_events, "event"));
  } else {
    std::map<std::string_view, uint64_t> numbers;
    for (const Prediction& each : all.predictions) {
      const std::string_view kind =
          each.likely ? std::string_view(each.kind) : "unlikely";
      ++numbers[all.forced ? WordOf(each.outcome) : kind];
    }
    text = Counted(size, "prediction") +
           (all.forced ? ": " : ", none forced: ") + CountedBy(numbers);
  }
  if (all.num_suppressed != 0) {
    text += fmt::format("; {} suppressed", all.num_suppressed);
  }
  if (all.num_left_out != 0) {
    text += fmt::format("; {} more left out", all.num_left_out);
  }
  return text;
}

bool IsShown(const Prediction& each, const Predictions& all, Shown shown) {
  return shown == Shown::kAll || IsShown(each, all);
}

}  // namespace

bool IsShown(const Prediction& prediction, const Predictions& all) {
  return all.forced ? IsObservable(prediction.outcome) : prediction.likely;
}

std::string PredictionsText(const Predictions& all, Shown shown) {
  std::string text;
  size_t number = 0;
  for (const Prediction& each : all.predictions) {
    if (IsShown(each, all, shown)) text += Text(each, ++number);
  }
  return text;
}

std::vector<std::string> PredictionsSummary(const Predictions& all,
                                            Shown shown) {
  std::vector<std::string> lines;
  if (!all.said.empty()) lines.push_back(all.said);
  lines.push_back(Summary(all));
  if (!std::ranges::all_of(all.predictions, [&](const Prediction& each) {
        return IsShown(each, all, shown);
      })) {
    lines.push_back(fmt::format(
        "{} are shown with --all",
        all.forced ? "those without an observable effect"
                   : "unlikely ones, which programs often mean as they are,"));
  }
  if (all.stopped_after) {
    lines.push_back(fmt::format(
        "{}: stopped by the user after {} of {}",
        all.exit == ExitCode::kFindings ? "failed" : "unknown",
        *all.stopped_after, Counted(all.predictions.size(), "prediction")));
  }
  return lines;
}

Json PredictionsJson(const Predictions& all) {
  Json json = {{"command", "predict"},
               {"events", all.num_events},
               {"execution", all.said},
               {"predictions", Json::array()},
               {"suppressed", all.num_suppressed},
               {"left_out", all.num_left_out},
               {"stopped", all.stopped_after.has_value()},
               {"exit_code", static_cast<int>(all.exit)}};
  for (const Prediction& each : all.predictions) {
    json["predictions"].push_back(PredictionJson(each));
  }
  return json;
}

}  // namespace fairlead::report
