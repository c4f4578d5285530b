#include "cli/predict_report.h"

#include <stdio.h>

#include <map>

#include "base/json.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/print.h"

namespace fairlead::cli {
namespace {

using analysis::Prediction;

// One line a step, in the order that is to be feared.
std::string Text(const ForcedPrediction& shown, size_t number,
                 const trace::Names& names) {
  const Prediction& prediction = shown.prediction;
  std::string text = fmt::format(
      "{}. {} ({}{})\n", number, analysis::SubjectOf(prediction, names),
      prediction.analysis, prediction.seen ? ", seen in this execution" : "");
  for (const std::string& line : analysis::StepLines(prediction, names)) {
    text += "     " + line + "\n";
  }
  if (shown.outcome == Outcome::kNotForced) return text;
  text += fmt::format("     forced: {} (after {})", WordOf(shown.outcome),
                      Counted(shown.attempts, "attempt"));
  if (IsObservable(shown.outcome)) text += ": " + shown.said;
  return text + "\n";
}

Json PredictionJson(const ForcedPrediction& shown, const trace::Names& names) {
  const Prediction& prediction = shown.prediction;
  return {{"outcome", WordOf(shown.outcome)},
          {"analysis", prediction.analysis},
          {"kind", prediction.kind},
          {"message", analysis::SentenceOf(prediction, names)},
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

std::string Summary(const Shown& shown, const Source& source) {
  const size_t size = shown.predictions.size();
  std::string text;
  if (size == 0) {
    text = fmt::format("nothing predicted from {}",
                       Counted(shown.predicted.num_events, "event"));
  } else {
    std::map<std::string_view, uint64_t> numbers;
    for (const ForcedPrediction& each : shown.predictions) {
      const std::string_view kind =
          each.prediction.likely ? each.prediction.kind : "unlikely";
      ++numbers[source.forced ? WordOf(each.outcome) : kind];
    }
    text = Counted(size, "prediction") +
           (source.forced ? ": " : ", none forced: ") + CountedBy(numbers);
  }
  if (source.num_suppressed != 0) {
    text += fmt::format("; {} suppressed", source.num_suppressed);
  }
  if (shown.predicted.num_left_out != 0) {
    text += fmt::format("; {} more left out", shown.predicted.num_left_out);
  }
  return text;
}

// Whether it is worth telling without being asked for.
bool Tells(const ForcedPrediction& each, const Source& source) {
  return source.forced ? IsObservable(each.outcome) : each.prediction.likely;
}

// A prediction is no finding; what forcing it shows is one.
ExitCode ExitFor(const Shown& shown, const Source& source) {
  if (!source.forced) return source.exit;
  for (const ForcedPrediction& each : shown.predictions) {
    if (Tells(each, source)) return ExitCode::kFindings;
  }
  return source.exit;
}

void ShowJson(const Shown& shown, const Source& source, ExitCode exit) {
  Json json = {{"command", "predict"},
               {"events", shown.predicted.num_events},
               {"execution", source.said},
               {"predictions", Json::array()},
               {"suppressed", source.num_suppressed},
               {"left_out", shown.predicted.num_left_out},
               {"exit_code", static_cast<int>(exit)}};
  for (const ForcedPrediction& each : shown.predictions) {
    json["predictions"].push_back(PredictionJson(each, shown.predicted.names));
  }
  PrintJson(stderr, json);
}

}  // namespace

ExitCode Show(const Shown& shown, const Source& source,
              const ShowOptions& options) {
  const ExitCode exit = ExitFor(shown, source);
  if (options.form == Form::kJson) {
    ShowJson(shown, source, exit);
    return exit;
  }
  size_t number = 0;
  for (const ForcedPrediction& each : shown.predictions) {
    if (!options.all && !Tells(each, source)) continue;
    Print(stderr, Text(each, ++number, shown.predicted.names));
  }
  if (!source.said.empty()) Note("{}", source.said);
  Note("{}", Summary(shown, source));
  if (number < shown.predictions.size()) {
    Note("those {} are shown with --all",
         source.forced ? "without an observable effect"
                       : "that are likely to be meant so");
  }
  return exit;
}

}  // namespace fairlead::cli
