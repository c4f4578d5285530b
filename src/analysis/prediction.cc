#include "analysis/prediction.h"

#include <algorithm>
#include <ranges>
#include <set>

#include "abi/context.h"
#include "base/text.h"
#include "trace/kinds.h"

namespace fairlead::analysis {
namespace {

using finding::Operation;
using finding::TargetStep;
using order::Spot;
using trace::EventKind;
using trace::Names;

uint64_t AnchorOf(const Spot& spot, const Names& names) {
  if (spot.instrumented) {
    const auto site = names.sites.find(spot.site);
    return site == names.sites.end() ? 0 : site->second.anchor;
  }
  const auto caller = names.callers.find(spot.site);
  return caller == names.callers.end() ? 0 : caller->second.anchor;
}

const trace::Place* PlaceOf(const Spot& spot, const Names& names) {
  trace::Event event;
  event.site = spot.site;
  event.flags = spot.instrumented ? abi::kFlagInstrumented : 0;
  return names.PlaceOf(event);
}

// "at a.c:3 (worker)". Of what a library does, the line of the program that
// called it.
std::string AtText(const Spot& spot, const Names& names) {
  trace::Event event;
  event.site = spot.site;
  event.node = spot.node;
  event.flags = spot.instrumented ? abi::kFlagInstrumented : 0;
  const trace::Place* place = names.ShownPlaceOf(event);
  const bool known = PlaceOf(spot, names) != nullptr;
  const std::string where = place != nullptr ? trace::PlaceText(*place)
                            : known          ? "a library"
                                             : "an unknown place";
  return fmt::format("at {} ({})", where, names.ThreadText(spot.tid));
}

// "write at a.c:3 (worker)".
std::string StepText(const Spot& spot, const Names& names) {
  return fmt::format("{} {}", trace::WordOf(spot.kind), AtText(spot, names));
}

}  // namespace

void PredictionList::Report(Prediction prediction) {
  if (predictions_.size() < limit_) {
    predictions_.push_back(std::move(prediction));
  } else {
    ++num_left_out_;
  }
}

uint64_t ContextOf(uint32_t node, const Names& names) {
  std::vector<uint64_t> calls;  // the innermost first
  while (node != 0) {
    const auto known = names.nodes.find(node);
    // Parents are smaller, so this ends also when names make no sense.
    if (known == names.nodes.end() || known->second.parent >= node) return 0;
    const auto site = names.sites.find(known->second.site);
    if (site == names.sites.end()) return 0;
    calls.push_back(site->second.anchor);
    node = known->second.parent;
  }
  if (calls.empty()) return 0;
  uint64_t context = abi::kRootContext;
  for (const uint64_t anchor : std::views::reverse(calls)) {
    context = abi::ContextOfCall(context, anchor);
  }
  return context;
}

namespace {

// Where threads come to the same place several times, which time is meant can
// decide between a deadlock and none: those steps keep the calls that led
// there. Elsewhere other calls may lead there as well.
void KeepContexts(Prediction& prediction, const Names& names) {
  std::vector<TargetStep>& steps = prediction.target.steps;
  for (size_t i = 0; i < steps.size(); ++i) {
    const auto same = [&](const TargetStep& step) {
      return &step != &steps[i] && step.anchor == steps[i].anchor;
    };
    if (steps[i].anchor == 0 || std::ranges::none_of(steps, same)) continue;
    steps[i].context = ContextOf(prediction.spots[i].node, names);
  }
}

// Steps are those of the units only by the calls that led there.
void KeepUnits(Prediction& prediction, const Names& names) {
  const Apart& apart = *prediction.apart;
  for (size_t i = 0; i < prediction.target.steps.size(); ++i) {
    TargetStep& step = prediction.target.steps[i];
    step.context = ContextOf(prediction.spots[i].node, names);
    if (step.unit.empty() || i >= apart.unit_of.size()) continue;
    step.unit_context = ContextOf(apart.units[apart.unit_of[i]].node, names);
    // All that the thread does is in it.
    if (step.unit_context == 0) step.unit.clear();
  }
}

}  // namespace

void Resolve(Prediction& prediction, const Names& names) {
  for (size_t i = 0; i < prediction.target.steps.size(); ++i) {
    TargetStep& step = prediction.target.steps[i];
    const Spot& spot = prediction.spots[i];
    step.anchor = AnchorOf(spot, names);
    const trace::Place* place = PlaceOf(spot, names);
    if (place != nullptr) step.place = *place;
    if (prediction.holds[i].site != 0) {
      step.hold_at = AnchorOf(prediction.holds[i], names);
    }
  }
  if (prediction.by_calls ||
      prediction.target.success == finding::Success::kDeadlock) {
    KeepContexts(prediction, names);
  }
  if (prediction.apart != nullptr) KeepUnits(prediction, names);
}

namespace {

// The member of a class that a site accesses; "" = none, or nobody knows.
std::string MemberOf(const Spot& spot, const Names& names) {
  const auto site =
      spot.instrumented ? names.sites.find(spot.site) : names.sites.end();
  if (site == names.sites.end()) return "";
  const auto type = names.types.find(site->second.type);
  if (type == names.types.end() || type->second.name.empty()) return "";
  const trace::FieldName* field =
      type->second.FieldAt(site->second.field_offset);
  if (field == nullptr || field->name.empty()) return "";
  return fmt::format("{}::{}", type->second.name, field->name);
}

// What is fought over, by a name of the program's: a variable, or a member of a
// class. "" = it has none; an address would say nothing.
std::string NameOfSubject(const Prediction& prediction, const Names& names) {
  if (prediction.addresses.empty() || prediction.addresses[0] == 0) return "";
  std::string name = names.ObjectText(prediction.addresses[0]);
  if (!name.starts_with("0x")) return name;
  const std::string& subject = prediction.target.objects[0].name;
  for (size_t i = 0; i < prediction.spots.size(); ++i) {
    if (prediction.target.steps[i].object != subject) continue;
    if (name = MemberOf(prediction.spots[i], names); !name.empty()) return name;
  }
  return "";
}

// "`append` (buffer.cc:40)".
std::string UnitText(const Prediction& prediction, size_t unit,
                     const Names& names) {
  const Apart& apart = *prediction.apart;
  const trace::FunctionName* function = apart.units[unit].function;
  if (function != nullptr) {
    return fmt::format("`{}` ({}:{})", function->name, function->place.file,
                       function->place.line);
  }
  for (size_t i = 0; i < apart.unit_of.size(); ++i) {
    if (apart.unit_of[i] != unit) continue;
    const trace::Place* place = PlaceOf(prediction.spots[i], names);
    if (place == nullptr) continue;
    return fmt::format("code at {}:{}", place->file, place->line);
  }
  return "code at an unknown place";
}

// "`raw` and `rlen` of `Buffer` are not updated together: `append`
// (buffer.cc:40) and `clear` (buffer.cc:71)".
std::string ApartText(const Prediction& prediction, const Names& names) {
  const Apart& apart = *prediction.apart;
  std::vector<std::string> fields;
  for (size_t i = 0; i < apart.fields.size(); ++i) {
    fields.push_back(apart.fields[i].empty()
                         ? names.ObjectText(apart.addresses[i])
                         : apart.fields[i]);
  }
  std::ranges::sort(fields);
  const std::string of = apart.set.empty() ? "of " + apart.file
                                           : fmt::format("of `{}`", apart.set);
  const std::string one = UnitText(prediction, 0, names);
  const std::string other = UnitText(prediction, 1, names);
  if (fields.size() == 1) {
    return fmt::format("`{}` {} is not left alone while {} works with it: {}",
                       fields[0], of, one, other);
  }
  return fmt::format("`{}` and `{}` {} are not updated together: {} and {}",
                     fields[0], fields[1], of, one, other);
}

}  // namespace

std::string SubjectOf(const Prediction& prediction, const Names& names) {
  if (prediction.apart != nullptr) return ApartText(prediction, names);
  if (prediction.made.site != 0) {
    return fmt::format(
        "{} on {} {} {}", prediction.kind,
        Counted(prediction.made_bytes, "byte"),
        prediction.made.kind == EventKind::kMap ? "mapped" : "allocated",
        AtText(prediction.made, names));
  }
  const std::string name = NameOfSubject(prediction, names);
  return name.empty() ? std::string(prediction.kind)
                      : fmt::format("{} on {}", prediction.kind, name);
}

std::vector<std::string> StepLines(const Prediction& prediction,
                                   const Names& names) {
  std::vector<std::string> lines;
  for (const Spot& spot : prediction.spots) {
    lines.push_back(StepText(spot, names));
  }
  return lines;
}

std::vector<finding::Where> PlacesOf(const Prediction& prediction,
                                     const Names& names) {
  std::vector<finding::Where> places;
  for (const Spot& spot : prediction.spots) {
    finding::Where& where = places.emplace_back();
    if (const trace::Place* place = PlaceOf(spot, names)) where.place = *place;
    where.anchor = AnchorOf(spot, names);
    if (spot.instrumented) {
      const auto site = names.sites.find(spot.site);
      if (site != names.sites.end()) where.function = site->second.function;
    } else {
      const auto caller = names.callers.find(spot.site);
      if (caller != names.callers.end()) {
        where.function = caller->second.function;
      }
    }
  }
  return places;
}

std::string SentenceOf(const Prediction& prediction, const Names& names) {
  std::string text = SubjectOf(prediction, names);
  if (prediction.apart != nullptr) return text;
  bool first = true;
  for (const std::string& line : StepLines(prediction, names)) {
    text += (first ? ": " : ", ") + line;
    first = false;
  }
  return text;
}

Prediction NewPrediction(std::string_view analysis, std::string_view kind) {
  Prediction prediction;
  prediction.analysis = analysis;
  prediction.kind = kind;
  prediction.target.kind = analysis;
  return prediction;
}

std::string AddObject(Prediction& prediction, std::string name,
                      uint64_t address, finding::Relation relation,
                      std::string other) {
  prediction.target.objects.push_back({name, relation, std::move(other)});
  prediction.addresses.push_back(address);
  return name;
}

uint32_t AddStep(Prediction& prediction, const Spot& spot, std::string object) {
  std::set<Tid> earlier;
  std::string thread;
  for (size_t i = 0; i < prediction.spots.size(); ++i) {
    earlier.insert(prediction.spots[i].tid);
    if (prediction.spots[i].tid == spot.tid) {
      thread = prediction.target.steps[i].thread;
    }
  }
  if (thread.empty()) thread = static_cast<char>('a' + earlier.size());
  TargetStep step;
  step.thread = std::move(thread);
  step.operation = OperationOf(spot.kind);
  step.object = std::move(object);
  prediction.target.steps.push_back(std::move(step));
  prediction.spots.push_back(spot);
  prediction.holds.emplace_back();
  return static_cast<uint32_t>(prediction.spots.size() - 1);
}

Operation OperationOf(EventKind kind) {
  switch (kind) {
    case EventKind::kRead:
    case EventKind::kAtomicLoad:
      return Operation::kRead;
    case EventKind::kWrite:
    case EventKind::kAtomicStore:
      return Operation::kWrite;
    case EventKind::kRmw:
    case EventKind::kCas:
      return Operation::kRmw;
    case EventKind::kLock:
    case EventKind::kTryLock:
    case EventKind::kFileLock:
    case EventKind::kWaitDone:
      return Operation::kLock;
    case EventKind::kUnlock:
    case EventKind::kFileUnlock:
      return Operation::kUnlock;
    case EventKind::kFree:
    case EventKind::kUnmap:
      return Operation::kFree;
    case EventKind::kClose:
      return Operation::kClose;
    case EventKind::kDestroy:
      return Operation::kDestroy;
    case EventKind::kWait:
    case EventKind::kSemWait:
    case EventKind::kFutexWait:
    case EventKind::kBarrierWait:
      return Operation::kWait;
    case EventKind::kSignal:
    case EventKind::kBroadcast:
    case EventKind::kSemPost:
    case EventKind::kFutexWake:
      return Operation::kSignal;
    case EventKind::kFork:
      return Operation::kCreate;
    case EventKind::kJoin:
      return Operation::kJoin;
    case EventKind::kCancel:
      return Operation::kCancel;
    default:
      return Operation::kCall;
  }
}

}  // namespace fairlead::analysis
