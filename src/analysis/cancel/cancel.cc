#include "analysis/cancel/cancel.h"

#include <algorithm>

#include "analysis/makers.h"

namespace fairlead::analysis {

using trace::Event;
using trace::EventKind;

Cancel::Thread& Cancel::ThreadOf(Tid tid) {
  const size_t index = abi::Index(tid);
  if (index >= threads_.size()) threads_.resize(index + 1);
  return threads_[index];
}

void Cancel::OnOther(const Event& event, order::Model& order,
                     PredictionSink& out) {
  switch (event.kind) {
    case EventKind::kTryLock:
      if (!event.has(abi::kFlagSuccess)) return;
      [[fallthrough]];
    case EventKind::kLock:
    case EventKind::kFileLock:
      if (event.has(abi::kFlagRecursive)) return;
      ThreadOf(event.tid).open.push_back(
          {event.address, order::SpotOf(event), {}, {}});
      return;
    case EventKind::kUnlock:
    case EventKind::kFileUnlock:
      if (!event.has(abi::kFlagRecursive)) Give(event, order, out);
      return;
    case EventKind::kCancel:
      if (event.value < abi::kMaxThreads) Request(event, order, out);
      return;
    case EventKind::kEnd:
      ThreadOf(event.tid).open.clear();
      return;
    default:
      return;
  }
}

void Cancel::Give(const Event& event, order::Model& order,
                  PredictionSink& out) {
  Thread& thread = ThreadOf(event.tid);
  const auto open =
      std::ranges::find(thread.open, event.address, &Section::lock);
  if (open == thread.open.end()) return;
  Section section = *open;
  thread.open.erase(open);
  section.gave = order::SpotOf(event);
  section.end = order.weak_epoch();
  for (const order::Spot& request : thread.requests) {
    Report(section, request, out);
  }
  for (Section& known : thread.closed) {
    if (known.took.key() == section.took.key() &&
        known.gave.key() == section.gave.key()) {
      known = section;
      return;
    }
  }
  if (thread.closed.size() < kMaxSections) thread.closed.push_back(section);
}

void Cancel::Request(const Event& event, order::Model& order,
                     PredictionSink& out) {
  const Tid target = Tid{static_cast<uint16_t>(event.value)};
  if (target == event.tid) return;
  const order::Spot request = order::SpotOf(event);
  Thread& thread = ThreadOf(target);
  const order::VectorClock& knew = order.weak().ClockOf(event.tid);
  for (const Section& section : thread.closed) {
    if (!knew.Covers(section.end)) Report(section, request, out);
  }
  if (thread.requests.size() < kMaxSections) {
    thread.requests.push_back(request);
  }
}

void Cancel::Report(const Section& section, const order::Spot& request,
                    PredictionSink& out) {
  if (!reported_.AddOrdered(section.took.key(), request.key(),
                            section.gave.key())) {
    return;
  }
  Prediction prediction = NewPrediction(name(), "cancelled with a lock");
  const std::string lock =
      AddObject(prediction, "m", section.lock, finding::Relation::kLock);
  const uint32_t took = AddStep(prediction, section.took, lock);
  const std::string thread = AddObject(prediction, "t", 0);
  const uint32_t asked = AddStep(prediction, request, thread);
  const uint32_t gave = AddStep(prediction, section.gave, lock);
  prediction.target.edges.push_back({.before = took, .after = asked});
  prediction.target.edges.push_back({.before = asked, .after = gave});
  out.Report(std::move(prediction));
}

std::unique_ptr<Analysis> MakeCancel() { return std::make_unique<Cancel>(); }

}  // namespace fairlead::analysis
