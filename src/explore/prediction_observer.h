// explore/prediction_observer.h
//
// Analyses an execution while it goes on: records in, predictions out, with
// names once it is over.

#ifndef FAIRLEAD_EXPLORE_PREDICTION_OBSERVER_H_
#define FAIRLEAD_EXPLORE_PREDICTION_OBSERVER_H_

#include <vector>

#include "analysis/prediction.h"
#include "explore/execution.h"
#include "explore/namer.h"
#include "explore/predictor.h"
#include "trace/decode.h"

namespace fairlead::explore {

// What came of it: predictions with anchors and places, the most telling kinds
// first, and the names that they use.
struct Predicted {
  std::vector<analysis::Prediction> predictions;
  trace::Names names;
  size_t num_left_out = 0;  // beyond what is kept
  uint64_t num_events = 0;
};

class PredictionObserver final : public RecordObserver {
 public:
  explicit PredictionObserver(Predictor predictor)
      : predictor_(std::move(predictor)) {}

  void OnRecords(std::span<const abi::Event> records,
                 const ControlMemory& memory) override;

  // The execution is over. Fails if the records made no sense.
  Result<Predicted> Finish(Namer& namer);

 private:
  trace::Decoder decoder_;
  Predictor predictor_;
  Status status_;
};

// Names of what predictions speak of.
UsedNumbers UsedBy(const std::vector<analysis::Prediction>& predictions);

// Fills in names, and drops what another one says as well: a race that is seen
// is not predicted once more.
std::vector<analysis::Prediction> NamedAndMerged(
    std::vector<analysis::Prediction> predictions, const trace::Names& names);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_PREDICTION_OBSERVER_H_
