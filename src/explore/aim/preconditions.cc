#include "explore/aim/preconditions.h"

#include <algorithm>
#include <map>

#include "analysis/prediction.h"
#include "order/access.h"

namespace fairlead::explore {
namespace {

using finding::Target;
using finding::TargetEdge;
using finding::TargetStep;
using trace::Tid;

// Pairs of steps that are added for one step of a target: the nearest reads are
// what decides, and a target has room for few more steps.
constexpr size_t kMaxAdded = 3;
// Reads ahead of a step that are looked at.
constexpr size_t kMaxReads = 64;

// What this read depended on, as it was: its writer came before, or, when it
// saw its own or the first value, the next writer came later.
std::optional<Precondition> AsItWas(const SeenExecution& seen, size_t read) {
  const std::optional<size_t> writer = seen.index().WriterOf(read);
  if (writer && seen.events[*writer].tid != seen.events[read].tid) {
    return Precondition{read, *writer, true};
  }
  const std::optional<size_t> next = seen.index().NextWriter(read);
  if (next) return Precondition{read, *next, false};
  return {};
}

Precondition TurnedAround(Precondition precondition) {
  precondition.write_first = !precondition.write_first;
  return precondition;
}

// By thread, its reads ahead of `end` that depend on others, the last one
// first; in `function` only, unless it is "".
using ReadsByThread = std::map<Tid, std::vector<Precondition>>;
ReadsByThread DependentReads(const SeenExecution& seen, size_t end,
                             const std::string& function) {
  ReadsByThread found;
  for (size_t i = end; i-- > 0;) {
    const SeenEvent& event = seen.events[i];
    if (!event.reads) continue;
    if (!function.empty() && event.function != function) continue;
    std::vector<Precondition>& reads = found[event.tid];
    if (reads.size() == kMaxReads) continue;
    if (const auto precondition = AsItWas(seen, i)) {
      reads.push_back(*precondition);
    }
  }
  return found;
}

std::optional<size_t> FindStep(const SeenExecution& seen,
                               const TargetStep& step) {
  return seen.index().First(step.anchor, step.operation);
}

// Whether the read saw the write of another place in `other`, or none at all.
bool SawElse(const SeenExecution& seen, size_t read,
             const SeenExecution& other) {
  const SeenEvent& event = seen.events[read];
  const auto same =
      other.index().ReadAt(event.tid, event.anchor, seen.index().PassOf(read));
  if (!same) return false;
  const auto here = seen.index().WriterOf(read);
  const auto there = other.index().WriterOf(*same);
  if (here.has_value() != there.has_value()) return true;
  return here && (seen.events[*here].anchor != other.events[*there].anchor ||
                  seen.events[*here].tid != other.events[*there].tid);
}

// What differs between an execution that reached the step and those that did
// not.
std::optional<Proposal> FromDifference(const TargetStep& step, size_t bit,
                                       const SeenExecutions& seen) {
  for (size_t with = 0; with < seen.size(); ++with) {
    const SeenExecution& execution = *seen[with];
    const std::optional<size_t> at = FindStep(execution, step);
    if (!at) continue;
    Proposal proposal = {with, {}};
    ReadsByThread reads = DependentReads(execution, *at, "");
    for (const Precondition& each : reads[execution.events[*at].tid]) {
      const bool differs =
          std::ranges::any_of(seen, [&](const SeenPointer& without) {
            return (without->in_sight >> bit & 1) == 0 &&
                   !FindStep(*without, step) &&
                   SawElse(execution, each.read, *without);
          });
      if (differs && proposal.preconditions.size() < kMaxAdded) {
        proposal.preconditions.push_back(each);
      }
    }
    if (!proposal.preconditions.empty()) return proposal;
  }
  return {};
}

// The `index`-th of: the execution, the thread that was in the function, the
// read to be turned around, the last executions and reads first.
std::optional<Proposal> FromTurning(const std::string& function,
                                    const SeenExecutions& seen, size_t index) {
  if (function.empty()) return {};
  std::vector<ReadsByThread> reads;
  for (const SeenPointer& each : seen) {
    reads.push_back(DependentReads(*each, each->events.size(), function));
  }
  for (size_t depth = 0; depth < kMaxReads; ++depth) {
    for (size_t from = seen.size(); from-- > 0;) {
      for (const auto& [tid, list] : reads[from]) {
        if (depth >= list.size() || index-- != 0) continue;
        Proposal proposal = {from, {TurnedAround(list[depth])}};
        for (size_t i = depth + 1;
             i < list.size() && proposal.preconditions.size() < kMaxAdded;
             ++i) {
          proposal.preconditions.push_back(list[i]);
        }
        return proposal;
      }
    }
  }
  return {};
}

// The role that a thread of an execution has, by the steps that it did.
std::string RoleOf(const Target& target, const SeenExecution& seen, Tid tid) {
  for (const TargetStep& step : target.steps) {
    const std::optional<size_t> at = FindStep(seen, step);
    if (at && seen.events[*at].tid == tid) return step.thread;
  }
  return "";
}

// Where a new step goes: ahead of the first step of its thread that comes later
// in the execution, or did not come.
size_t PositionOf(const std::vector<TargetStep>& steps,
                  const SeenExecution& execution, const std::string& role,
                  size_t at) {
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].thread != role) continue;
    const std::optional<size_t> seen = FindStep(execution, steps[i]);
    if (!seen || *seen > at) return i;
  }
  return steps.size();
}

// Adds a step, and gives out its index.
uint32_t Insert(Prepared& prepared, const SeenExecution& seen,
                const std::string& role, size_t at) {
  Target& target = prepared.target;
  const SeenEvent& event = seen.events[at];
  const size_t position = PositionOf(target.steps, seen, role, at);
  TargetStep step;
  step.thread = role;
  step.operation = event.operation;
  step.anchor = event.anchor;
  target.steps.insert(
      target.steps.begin() + static_cast<std::ptrdiff_t>(position), step);
  for (TargetEdge& edge : target.edges) {
    if (edge.before >= position) ++edge.before;
    if (edge.after >= position) ++edge.after;
  }
  for (size_t& own : prepared.own) {
    if (own >= position) ++own;
  }
  return static_cast<uint32_t>(position);
}

}  // namespace

void AttemptObserver::OnEvent(const trace::Event& event) {
  if (raw_.size() >= kMaxSeen || event.site == 0) return;
  const order::AccessKind kind = order::AccessOf(event);
  SeenEvent seen;
  seen.address = event.address;
  seen.size = event.size;
  seen.tid = event.tid;
  seen.operation = analysis::OperationOf(event.kind);
  seen.reads = order::Reads(kind);
  seen.writes = order::Writes(kind);
  raw_.push_back({seen, event.site, event.instrumented()});
}

SeenExecution AttemptObserver::Finish(Namer& namer, uint64_t in_sight) {
  SeenExecution seen;
  seen.in_sight = in_sight;
  seen.events.reserve(raw_.size());
  std::map<uint32_t, trace::SiteName> sites;
  std::map<uint32_t, uint64_t> callers;
  for (Raw& raw : raw_) {
    if (!raw.instrumented) {
      const auto [caller, fresh] = callers.try_emplace(raw.site);
      if (fresh) caller->second = namer.Caller(raw.site).anchor;
      raw.event.anchor = caller->second;
      seen.events.push_back(raw.event);
      continue;
    }
    const auto [site, fresh] = sites.try_emplace(raw.site);
    if (fresh) site->second = namer.Site(raw.site);
    raw.event.anchor = site->second.anchor;
    raw.event.function =
        seen.functions.try_emplace(raw.event.anchor, site->second.function)
            .first->second;
    seen.events.push_back(raw.event);
  }
  return seen;
}

bool WasReached(const Target& target, size_t step, const SeenExecutions& seen) {
  return std::ranges::any_of(seen, [&](const SeenPointer& each) {
    return FindStep(*each, target.steps[step]).has_value();
  });
}

std::optional<Proposal> Propose(const Target& target, size_t step,
                                const std::string& function,
                                const SeenExecutions& seen, size_t index) {
  if (const auto found = FromDifference(target.steps[step], step, seen)) {
    if (index == 0) return found;
    --index;
  }
  return FromTurning(function, seen, index);
}

Prepared WithPreconditions(const Target& target, size_t step,
                           const SeenExecution& from,
                           const std::vector<Precondition>& added) {
  Prepared as_it_is = {target, {}};
  for (size_t i = 0; i < target.steps.size(); ++i) as_it_is.own.push_back(i);
  Prepared prepared = as_it_is;
  const std::string reader = target.steps[step].thread;
  for (const Precondition& each : added) {
    if (prepared.target.steps.size() + 2 > finding::kMaxSteps) break;
    const Tid tid = from.events[each.write].tid;
    std::string writer = RoleOf(target, from, tid);
    if (writer.empty() || writer == reader) {
      writer = fmt::format("other{}", abi::Index(tid));
    }
    uint32_t read = Insert(prepared, from, reader, each.read);
    const uint32_t write = Insert(prepared, from, writer, each.write);
    if (write <= read) ++read;
    prepared.target.edges.push_back({.before = each.write_first ? write : read,
                                     .after = each.write_first ? read : write,
                                     .strength = finding::Strength::kSoft,
                                     .precondition = true});
  }
  // What contradicts the target itself is of no use.
  return finding::CheckTarget(prepared.target) ? prepared : as_it_is;
}

}  // namespace fairlead::explore
