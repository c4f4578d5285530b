// analysis/predictor/predictor.h
//
// The analyses that predict, by name, and a way to run several over one stream:
// the order model is shared, predictions are collected. The one room that knows
// all analyses.

#ifndef FAIRLEAD_ANALYSIS_PREDICTOR_PREDICTOR_H_
#define FAIRLEAD_ANALYSIS_PREDICTOR_PREDICTOR_H_

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/analysis.h"

namespace fairlead::analysis {

struct AnalysisEntry {
  std::string_view name;
  std::string_view looks_for;  // what users call it: a word of `LookFor`
  std::string_view help;
  std::unique_ptr<Analysis> (*make)();
};

// In the order in which predictions are shown.
std::span<const AnalysisEntry> Analyses();

// What users may ask to be looked for, by effect and not by technique.
struct LookForEntry {
  std::string_view word;
  std::string_view help;
};
std::span<const LookForEntry> LookFor();

// Whether an analysis looks for it yet.
bool IsLookedFor(std::string_view word);

// Null for a name that none has.
const AnalysisEntry* FindAnalysis(std::string_view name);

class Predictor {
 public:
  // All of them.
  Predictor();
  // Those that look for one of these words; all if there is none.
  explicit Predictor(std::span<const std::string> words);
  explicit Predictor(std::vector<std::unique_ptr<Analysis>> analyses);

  // Takes its orders from those that the stream's other readers ask for. Before
  // the first event.
  void Share(order::Orders& orders) { order_.Share(orders); }
  // As in Analysis.
  void OnBegin(trace::ProgramTables& tables);
  void OnEvent(const trace::Event& event);
  // The record of an event that is to come in a while, untrusted: a chance to
  // have what is known of it at hand.
  void Expect(const abi::Event& record) {
    if (record.kind > abi::EventKind::kCas) return;
    const uint32_t variable = order_.Expect(record.address, Tid{record.thread});
    if (variable == 0) return;
    for (Analysis* analysis : expecting_) analysis->Expect(variable);
  }
  // The stream is complete.
  void OnEnd();

  // Before OnBegin; `declared` outlives the last event.
  void Declare(const Declared& declared);

  // Whether the functions that threads are in must be told to it.
  bool WantsFrames() const;

  PredictionList& list() { return list_; }

 private:
  order::Model order_;
  std::vector<std::unique_ptr<Analysis>> analyses_;
  // Of analyses_: those that are given accesses, and those that expect them.
  std::vector<Analysis*> accessed_;
  std::vector<Analysis*> expecting_;
  PredictionList list_;
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_PREDICTOR_PREDICTOR_H_
