// analysis/race/race_prediction.h
//
// How a race is told and what is to be forced: the two accesses, the later one
// first, with nothing between them that touches the bytes. Shared by the two
// analyses of this directory.

#ifndef FAIRLEAD_ANALYSIS_RACE_RACE_PREDICTION_H_
#define FAIRLEAD_ANALYSIS_RACE_RACE_PREDICTION_H_

#include "analysis/prediction.h"

namespace fairlead::analysis {

inline bool IsFree(trace::EventKind kind) {
  return kind == trace::EventKind::kFree || kind == trace::EventKind::kUnmap;
}

// Two accesses that met at `address`; `earlier` came first in the execution.
inline Prediction RaceBetween(std::string_view analysis, uint64_t address,
                              const order::Spot& earlier,
                              const order::Spot& later) {
  const bool frees = IsFree(later.kind);
  Prediction prediction =
      NewPrediction(analysis, frees ? "race with free" : "data race");
  const std::string object = AddObject(prediction, "x", address);
  std::string touched = object;
  const uint32_t first = AddStep(prediction, later, object);
  if (frees) {
    touched = AddObject(prediction, "field", address,
                        finding::Relation::kInsideFreed, object);
  }
  const uint32_t second = AddStep(prediction, earlier, touched);
  prediction.target.edges.push_back({.before = first,
                                     .after = second,
                                     .adjacency = finding::Adjacency::kNobody});
  return prediction;
}

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_RACE_RACE_PREDICTION_H_
