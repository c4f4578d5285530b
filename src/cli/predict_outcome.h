// cli/predict_outcome.h
//
// What came of predictions when they were forced, for `fairlead predict
// --force`: each is made to happen if it can be, and the worst come first.

#ifndef FAIRLEAD_CLI_PREDICT_OUTCOME_H_
#define FAIRLEAD_CLI_PREDICT_OUTCOME_H_

#include <functional>
#include <string>
#include <vector>

#include "analysis/prediction.h"
#include "base/result.h"
#include "explore/aim/force.h"
#include "explore/run/execution.h"
#include "finding/outcome.h"
#include "report/predictions.h"

namespace fairlead::cli {

using finding::Outcome;

struct ForcedPrediction {
  analysis::Prediction prediction;
  Outcome outcome = Outcome::kNotForced;
  uint64_t attempts = 0;
  std::string said = {};  // about the execution that showed it
  size_t number = 0;      // in the order in which they were predicted
};

// Is given each when it has been forced.
using OnForced = std::function<Status(const analysis::Prediction& prediction,
                                      const explore::Forced& forced)>;

struct ForcedAll {
  std::vector<ForcedPrediction> predictions;  // the worst first
  size_t num_forced = 0;
  bool stopped = false;  // by the user, before all were forced
};

// Forces each with `order`, whose plan's seed is the first one. What was under
// way when the user stopped it counts as not forced, like all after it.
Result<ForcedAll> ForceAll(std::vector<analysis::Prediction> predictions,
                           const explore::Order& order,
                           const OnForced& on_forced);

// For reports.
report::Prediction ReportOf(const ForcedPrediction& forced,
                            const trace::Names& names);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_PREDICT_OUTCOME_H_
