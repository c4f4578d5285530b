// report/predictions.h
//
// What other schedules of an execution could do, and what came of forcing
// that, as text and as JSON.

#ifndef FAIRLEAD_REPORT_PREDICTIONS_H_
#define FAIRLEAD_REPORT_PREDICTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/exit_code.h"
#include "base/json.h"
#include "finding/outcome.h"
#include "finding/target.h"

namespace fairlead::report {

struct Prediction {
  std::string analysis = {};            // that makes it
  std::string kind = {};                // a word of the analysis
  std::string subject = {};             // what it is about, for people
  std::string message = {};             // a sentence
  std::vector<std::string> steps = {};  // in the order that is to be feared
  bool seen = false;    // in the execution that it was predicted from
  bool likely = false;  // to be a bug, rather than meant so
  finding::Target target = {};
  finding::Outcome outcome = finding::Outcome::kNotForced;
  uint64_t attempts = 0;
  std::string said = {};  // about the execution that showed it
};

struct Predictions {
  std::vector<Prediction> predictions =
      {};                   // in the order in which they are shown
  uint64_t num_events = 0;  // that they were predicted from
  uint64_t num_suppressed = 0;
  uint64_t num_left_out = 0;  // there were too many
  bool forced = false;
  // How many were forced when the user stopped it; none = it was not.
  std::optional<size_t> stopped_after = {};
  std::string said = {};  // about the execution; "" = nothing
  ExitCode exit = ExitCode::kNothingFound;
};

// Whether it is shown without being asked for.
bool IsShown(const Prediction& prediction, const Predictions& all);

// Those that are shown, and lines that sum it up.
enum class Shown { kLikely, kAll };
std::string PredictionsText(const Predictions& all, Shown shown);
std::vector<std::string> PredictionsSummary(const Predictions& all,
                                            Shown shown);
Json PredictionsJson(const Predictions& all);

}  // namespace fairlead::report

#endif  // FAIRLEAD_REPORT_PREDICTIONS_H_
