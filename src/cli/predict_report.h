// cli/predict_report.h
//
// What `fairlead predict` says, as text or JSON.

#ifndef FAIRLEAD_CLI_PREDICT_REPORT_H_
#define FAIRLEAD_CLI_PREDICT_REPORT_H_

#include <string>
#include <vector>

#include "base/exit_code.h"
#include "cli/command.h"
#include "cli/predict_outcome.h"
#include "explore/watch/prediction_observer.h"

namespace fairlead::cli {

// How the predictions came about, and what was done with them.
struct Source {
  std::string said;                         // about the execution; "" = nothing
  ExitCode exit = ExitCode::kNothingFound;  // when nothing is predicted
  uint64_t num_suppressed = 0;
  bool forced = false;
};

// All that is to be shown.
struct Shown {
  std::vector<ForcedPrediction> predictions;
  const explore::Predicted& predicted;
};

struct ShowOptions {
  Form form = Form::kText;
  bool all = false;  // also what had no observable effect
};

// On standard error. Gives the exit code that belongs to it.
ExitCode Show(const Shown& shown, const Source& source,
              const ShowOptions& options);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_PREDICT_REPORT_H_
