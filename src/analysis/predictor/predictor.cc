#include "analysis/predictor/predictor.h"

#include <algorithm>

#include "analysis/atomicity/atomicity.h"
#include "analysis/cancel/cancel.h"
#include "analysis/condvar/condvar.h"
#include "analysis/conmem/dangling.h"
#include "analysis/conmem/null.h"
#include "analysis/conmem/overflow.h"
#include "analysis/conmem/uninit.h"
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
    {"dangling", "memory", "what one thread ends and another may still use",
     Make<Dangling>},
    {"null", "memory", "pointers that one thread clears and another uses",
     Make<Null>},
    {"uninit", "memory", "what one thread sets and another may read before",
     Make<Uninit>},
    {"overflow", "memory", "indices and lengths that another thread may change",
     Make<Overflow>},
    {"deadlock", "deadlock", "locks taken in cycles, by 2 to 8 threads",
     Make<Deadlock>},
    {"race", "race", "accesses that nothing orders", Make<Race>},
    {"hybrid", "race", "accesses that only this schedule's locks order",
     Make<Hybrid>},
    {"atomicity", "atomicity", "two accesses that another may come between",
     Make<Atomicity>},
    {"condvar", "order",
     "wake-ups that may be lost, conditions not checked again", Make<Condvar>},
    {"cancel", "deadlock",
     "threads that may be cancelled while they hold a lock", Make<Cancel>},
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
