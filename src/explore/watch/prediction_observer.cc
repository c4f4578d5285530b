#include "explore/watch/prediction_observer.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace fairlead::explore {
namespace {

using analysis::AnalysisEntry;
using analysis::Prediction;

// Where the analysis stands in the table; unknown ones come last.
size_t RankOf(const Prediction& prediction) {
  const std::span<const AnalysisEntry> all = analysis::Analyses();
  const auto found =
      std::ranges::find(all, prediction.analysis, &AnalysisEntry::name);
  return static_cast<size_t>(found - all.begin());
}

// Equal for predictions about the same places, in whatever order.
std::vector<uint64_t> PlacesOf(const Prediction& prediction) {
  std::vector<uint64_t> places;
  for (const order::Spot& spot : prediction.spots) {
    places.push_back(spot.key());
  }
  std::ranges::sort(places);
  return places;
}

}  // namespace

Predicted PredictionObserver::Finish(Namer& namer) {
  predictor_.OnEnd();
  analysis::PredictionList& list = predictor_.list();
  Predicted predicted;
  predicted.num_events = num_events_;
  predicted.num_left_out = list.num_left_out();
  predicted.names = namer.For(UsedBy(list.predictions()));
  predicted.predictions =
      NamedAndMerged(std::move(list.predictions()), predicted.names);
  return predicted;
}

UsedNumbers UsedBy(const std::vector<Prediction>& predictions) {
  UsedNumbers used;
  for (const Prediction& prediction : predictions) {
    const std::vector<order::Spot> made = {prediction.made};
    for (const auto* list : {&prediction.spots, &prediction.holds, &made}) {
      for (const order::Spot& spot : *list) {
        if (spot.site == 0) continue;
        (spot.instrumented ? used.sites : used.callers).insert(spot.site);
        used.nodes.insert(spot.node);
      }
    }
    if (prediction.apart == nullptr) continue;
    for (const analysis::Apart::Unit& unit : prediction.apart->units) {
      used.nodes.insert(unit.node);
    }
  }
  return used;
}

std::vector<Prediction> NamedAndMerged(std::vector<Prediction> predictions,
                                       const trace::Names& names) {
  // Likely ones first; by analysis; in the order in which they came up.
  std::ranges::sort(predictions, {}, [](const Prediction& each) {
    uint64_t last = 0;
    for (const order::Spot& spot : each.spots) last = std::max(last, spot.seq);
    return std::tuple(!each.likely, RankOf(each), last, PlacesOf(each));
  });
  std::set<std::vector<uint64_t>> races;
  std::vector<Prediction> kept;
  for (Prediction& prediction : predictions) {
    // A race with a free is what `dangling` says of the same two places.
    if (prediction.analysis == "dangling" || prediction.analysis == "race" ||
        prediction.analysis == "hybrid") {
      if (!races.insert(PlacesOf(prediction)).second) continue;
    }
    analysis::Resolve(prediction, names);
    kept.push_back(std::move(prediction));
  }
  return kept;
}

}  // namespace fairlead::explore
