#include "analysis/deadlock/deadlock.h"

#include <algorithm>

#include "analysis/makers.h"

namespace fairlead::analysis {
namespace {

using order::LockGraph;

std::vector<uint64_t> PlacesOf(const LockGraph::Cycle& cycle) {
  std::vector<uint64_t> places;
  for (const LockGraph::Arc* arc : cycle) {
    places.push_back(arc->took.key() * 31 + arc->asked.key());
  }
  std::ranges::rotate(places, std::ranges::min_element(places));
  return places;
}

}  // namespace

void Deadlock::OnOther(const trace::Event& event, order::Model& order,
                       PredictionSink& out) {
  graph_.OnEvent(event, order,
                 [&](const LockGraph::Cycle& cycle) { Report(cycle, out); });
}

void Deadlock::Report(const LockGraph::Cycle& cycle, PredictionSink& out) {
  if (!reported_.insert(PlacesOf(cycle)).second) return;
  Prediction prediction = NewPrediction(name(), "deadlock");
  prediction.target.success = finding::Success::kDeadlock;
  std::vector<std::string> locks;
  for (size_t i = 0; i < cycle.size(); ++i) {
    locks.push_back(AddObject(prediction, fmt::format("m{}", i + 1),
                              cycle[i]->held, finding::Relation::kLock));
  }
  std::vector<uint32_t> takes;
  std::vector<uint32_t> asks;
  for (size_t i = 0; i < cycle.size(); ++i) {
    takes.push_back(AddStep(prediction, cycle[i]->took, locks[i]));
  }
  for (size_t i = 0; i < cycle.size(); ++i) {
    asks.push_back(
        AddStep(prediction, cycle[i]->asked, locks[(i + 1) % cycle.size()]));
    prediction.target.steps.back().phase = finding::Phase::kArrive;
  }
  for (const uint32_t take : takes) {
    for (const uint32_t ask : asks) {
      prediction.target.edges.push_back({.before = take, .after = ask});
    }
  }
  out.Report(std::move(prediction));
}

std::unique_ptr<Analysis> MakeDeadlock() {
  return std::make_unique<Deadlock>();
}

}  // namespace fairlead::analysis
