#include "analysis/predictor/predictor.h"

#include "analysis/atomicity/atomicity.h"
#include "analysis/cancel/cancel.h"
#include "analysis/condvar/condvar.h"
#include "analysis/deadlock/deadlock.h"
#include "analysis/race/hybrid.h"
#include "analysis/race/race.h"

namespace fairlead::analysis {
namespace {

template <typename T>
std::unique_ptr<Analysis> Make() {
  return std::make_unique<T>();
}

constexpr AnalysisEntry kAnalyses[] = {
    {"deadlock", "locks taken in cycles, by 2 to 8 threads", Make<Deadlock>},
    {"race", "accesses that nothing orders", Make<Race>},
    {"hybrid", "accesses that only this schedule's locks order", Make<Hybrid>},
    {"atomicity", "two accesses that another may come between",
     Make<Atomicity>},
    {"condvar", "wake-ups that may be lost, conditions not checked again",
     Make<Condvar>},
    {"cancel", "threads that may be cancelled while they hold a lock",
     Make<Cancel>},
};

}  // namespace

std::span<const AnalysisEntry> Analyses() { return kAnalyses; }

const AnalysisEntry* FindAnalysis(std::string_view name) {
  for (const AnalysisEntry& entry : kAnalyses) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

namespace {

std::vector<std::unique_ptr<Analysis>> AllAnalyses() {
  std::vector<std::unique_ptr<Analysis>> all;
  for (const AnalysisEntry& entry : kAnalyses) all.push_back(entry.make());
  return all;
}

}  // namespace

Predictor::Predictor() : Predictor(AllAnalyses()) {}

Predictor::Predictor(std::vector<std::unique_ptr<Analysis>> analyses)
    : analyses_(std::move(analyses)) {
  for (const std::unique_ptr<Analysis>& analysis : analyses_) {
    if (analysis->Expects()) expecting_.push_back(analysis.get());
    if (analysis->WantsAccesses()) accessed_.push_back(analysis.get());
  }
}

void Predictor::OnBegin(trace::ProgramTables& tables) {
  for (const std::unique_ptr<Analysis>& analysis : analyses_) {
    analysis->OnBegin(tables);
  }
}

void Predictor::OnEvent(const trace::Event& event) {
  order_.OnEvent(event);
  if (order_.kind() != order::AccessKind::kNone) {
    for (Analysis* analysis : accessed_) {
      analysis->OnAccess(event, order_, list_);
    }
    return;
  }
  for (const std::unique_ptr<Analysis>& analysis : analyses_) {
    analysis->OnOther(event, order_, list_);
  }
}

void Predictor::OnEnd() {
  for (const std::unique_ptr<Analysis>& analysis : analyses_) {
    analysis->OnEnd(list_);
  }
}

}  // namespace fairlead::analysis
