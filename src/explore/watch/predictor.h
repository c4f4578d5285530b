// explore/watch/predictor.h
//
// The analyses that predict, by name, and a way to run several over one stream:
// the order model is shared, predictions are collected.

#ifndef FAIRLEAD_EXPLORE_WATCH_PREDICTOR_H_
#define FAIRLEAD_EXPLORE_WATCH_PREDICTOR_H_

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/analysis.h"

namespace fairlead::explore {

using abi::Tid;
using analysis::Analysis;

struct AnalysisEntry {
  std::string_view name;
  std::string_view help;
  std::unique_ptr<Analysis> (*make)();
};

// In the order in which predictions are shown.
std::span<const AnalysisEntry> Analyses();

// Null for a name that none has.
const AnalysisEntry* FindAnalysis(std::string_view name);

class Predictor {
 public:
  // All of them.
  Predictor();
  explicit Predictor(std::vector<std::unique_ptr<Analysis>> analyses);

  void OnEvent(const trace::Event& event);
  // Of an event to come, as in EventObserver.
  void Expect(const abi::Event& record) {
    if (record.kind > abi::EventKind::kCas) return;
    const uint32_t variable = order_.Expect(record.address, Tid{record.thread});
    if (variable == 0) return;
    for (Analysis* analysis : expecting_) analysis->Expect(variable);
  }
  // The stream is complete.
  void OnEnd();

  analysis::PredictionList& list() { return list_; }

 private:
  order::Model order_;
  std::vector<std::unique_ptr<Analysis>> analyses_;
  // Of analyses_: those that are given accesses, and those that expect them.
  std::vector<Analysis*> accessed_;
  std::vector<Analysis*> expecting_;
  analysis::PredictionList list_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_WATCH_PREDICTOR_H_
