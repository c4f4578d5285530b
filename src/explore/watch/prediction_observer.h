// explore/watch/prediction_observer.h
//
// Analyses an execution while it goes on: records in, predictions out, with
// names once it is over.

#ifndef FAIRLEAD_EXPLORE_WATCH_PREDICTION_OBSERVER_H_
#define FAIRLEAD_EXPLORE_WATCH_PREDICTION_OBSERVER_H_

#include <vector>

#include "analysis/prediction.h"
#include "analysis/predictor/predictor.h"
#include "explore/names/namer.h"
#include "explore/watch/event_stream.h"
#include "explore/watch/watcher.h"

namespace fairlead::explore {

using analysis::Predictor;

// What came of it: predictions with anchors and places, the most telling kinds
// first, and the names that they use.
struct Predicted {
  std::vector<analysis::Prediction> predictions;
  trace::Names names;
  size_t num_left_out = 0;  // beyond what is kept
  uint64_t num_events = 0;
};

class PredictionObserver final : public Watcher {
 public:
  static constexpr WatcherId kId = WatcherId::kPredictions;
  using Seen = Predicted;

  explicit PredictionObserver(Predictor predictor)
      : predictor_(std::move(predictor)) {}

  uint64_t plan_flags() const override {
    return abi::kPlanTrace |
           (predictor_.WantsFrames() ? abi::kPlanOwnFrames : 0);
  }

  void OnBegin(trace::ProgramTables& tables, order::Orders& orders) override {
    predictor_.Share(orders);
    predictor_.OnBegin(tables);
  }

  void OnEvent(const trace::Event& event) override {
    ++num_events_;
    predictor_.OnEvent(event);
  }

  void Expect(const abi::Event& record) override { predictor_.Expect(record); }

  // The execution is over.
  Predicted Finish(Namer& namer);
  Seen End(const Ended& ended) { return Finish(ended.namer); }

 private:
  Predictor predictor_;
  uint64_t num_events_ = 0;
};

// Names of what predictions speak of.
UsedNumbers UsedBy(const std::vector<analysis::Prediction>& predictions);

// Fills in names, and drops what another one says as well: a race that is seen
// is not predicted once more.
std::vector<analysis::Prediction> NamedAndMerged(
    std::vector<analysis::Prediction> predictions, const trace::Names& names);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_WATCH_PREDICTION_OBSERVER_H_
