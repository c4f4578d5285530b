#include "analysis/predictor/predictor.h"

#include <algorithm>

#include "analysis/makers.h"

namespace fairlead::analysis {
namespace {

constexpr AnalysisEntry kAnalyses[] = {
#define FL_ANALYSIS(name, word, looks_for, kind, help) \
  {word, looks_for, help, Make##name},
#include "analysis/analyses.inc"
#undef FL_ANALYSIS
};

// Some have no analysis yet.
constexpr LookForEntry kLookFor[] = {
    {"memory", "memory that is used before it is there or after it is gone"},
    {"atomicity", "steps that belong together and are not kept together"},
    {"together", "variables that belong together and are changed apart"},
    {"order", "steps that come too early or too late"},
    {"deadlock", "threads that wait for each other, or for nobody"},
    {"requests", "answers that no order of the requests explains"},
    {"race", "accesses to the same memory that nothing orders"},
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

std::vector<std::unique_ptr<Analysis>> AnalysesFor(
    std::span<const std::string> words) {
  std::vector<std::unique_ptr<Analysis>> chosen;
  for (const AnalysisEntry& entry : kAnalyses) {
    if (words.empty() ||
        std::ranges::find(words, entry.looks_for) != words.end()) {
      chosen.push_back(entry.make());
    }
  }
  return chosen;
}

}  // namespace

std::span<const LookForEntry> LookFor() { return kLookFor; }

bool IsLookedFor(std::string_view word) {
  return std::ranges::any_of(kAnalyses, [&](const AnalysisEntry& entry) {
    return entry.looks_for == word;
  });
}

Predictor::Predictor() : Predictor(AnalysesFor({})) {}

Predictor::Predictor(std::span<const std::string> words)
    : Predictor(AnalysesFor(words)) {}

Predictor::Predictor(std::vector<std::unique_ptr<Analysis>> analyses)
    : analyses_(std::move(analyses)) {
  for (const std::unique_ptr<Analysis>& analysis : analyses_) {
    if (analysis->Expects()) expecting_.push_back(analysis.get());
    if (analysis->WantsAccesses()) accessed_.push_back(analysis.get());
  }
}

void Predictor::Declare(const Declared& declared) {
  for (const std::unique_ptr<Analysis>& analysis : analyses_) {
    analysis->OnDeclared(declared);
  }
}

bool Predictor::WantsFrames() const {
  return std::ranges::any_of(
      analyses_, [](const auto& each) { return each->WantsFrames(); });
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
