#include "explore/preconditions.h"

#include <algorithm>
#include <set>

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

using Events = std::vector<SeenEvent>;

bool Overlap(const SeenEvent& a, const SeenEvent& b) {
  return a.address < b.address + b.size && b.address < a.address + a.size;
}

// The last write to what `read` reads, ahead of it; or none.
std::optional<size_t> WriterOf(const Events& events, size_t read) {
  for (size_t i = read; i-- > 0;) {
    if (events[i].writes && Overlap(events[i], events[read])) return i;
  }
  return {};
}

// The first write of another thread to it, behind.
std::optional<size_t> NextWriter(const Events& events, size_t read) {
  for (size_t i = read + 1; i < events.size(); ++i) {
    if (events[i].writes && events[i].tid != events[read].tid &&
        Overlap(events[i], events[read])) {
      return i;
    }
  }
  return {};
}

// What this read depended on, as it was: its writer came before, or, when it
// saw its own or the first value, the next writer came later.
std::optional<Precondition> AsItWas(const Events& events, size_t read) {
  const std::optional<size_t> writer = WriterOf(events, read);
  if (writer && events[*writer].tid != events[read].tid) {
    return Precondition{read, *writer, true};
  }
  const std::optional<size_t> next = NextWriter(events, read);
  if (next) return Precondition{read, *next, false};
  return {};
}

Precondition TurnedAround(Precondition precondition) {
  precondition.write_first = !precondition.write_first;
  return precondition;
}

// Reads of `tid` ahead of `end` that depend on others, the last one first; in
// `function` only, unless it is "".
std::vector<Precondition> DependentReads(const Events& events, Tid tid,
                                         size_t end,
                                         const std::string& function) {
  std::vector<Precondition> found;
  for (size_t i = end; i-- > 0 && found.size() < kMaxReads;) {
    const SeenEvent& event = events[i];
    if (event.tid != tid || !event.reads) continue;
    if (!function.empty() && event.function != function) continue;
    if (const auto precondition = AsItWas(events, i)) {
      found.push_back(*precondition);
    }
  }
  return found;
}

std::optional<size_t> FindStep(const Events& events, const TargetStep& step) {
  for (size_t i = 0; i < events.size(); ++i) {
    if (events[i].anchor == step.anchor &&
        events[i].operation == step.operation) {
      return i;
    }
  }
  return {};
}

// How often its thread had been there before.
size_t PassOf(const Events& events, size_t at) {
  return static_cast<size_t>(std::count_if(
      events.begin(), events.begin() + static_cast<std::ptrdiff_t>(at),
      [&](const SeenEvent& each) {
        return each.tid == events[at].tid && each.anchor == events[at].anchor;
      }));
}

// The same read of the same thread in another execution.
std::optional<size_t> SameRead(const Events& events, const SeenEvent& read,
                               size_t pass) {
  for (size_t i = 0; i < events.size(); ++i) {
    if (events[i].tid != read.tid || events[i].anchor != read.anchor ||
        !events[i].reads) {
      continue;
    }
    if (pass-- == 0) return i;
  }
  return {};
}

// Whether the read saw the write of another place in `other`, or none at all.
bool SawElse(const Events& events, size_t read, const Events& other) {
  const auto same = SameRead(other, events[read], PassOf(events, read));
  if (!same) return false;
  const auto here = WriterOf(events, read);
  const auto there = WriterOf(other, *same);
  if (here.has_value() != there.has_value()) return true;
  return here && (events[*here].anchor != other[*there].anchor ||
                  events[*here].tid != other[*there].tid);
}

// What differs between an execution that reached the step and those that did
// not.
std::optional<Proposal> FromDifference(const TargetStep& step, size_t bit,
                                       const SeenExecutions& seen) {
  for (size_t with = 0; with < seen.size(); ++with) {
    const Events& events = seen[with]->events;
    const std::optional<size_t> at = FindStep(events, step);
    if (!at) continue;
    Proposal proposal = {with, {}};
    for (const Precondition& each :
         DependentReads(events, events[*at].tid, *at, "")) {
      const bool differs =
          std::ranges::any_of(seen, [&](const SeenPointer& without) {
            return (without->in_sight >> bit & 1) == 0 &&
                   !FindStep(without->events, step) &&
                   SawElse(events, each.read, without->events);
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
  std::vector<Proposal> all;
  for (size_t depth = 0; depth < kMaxReads; ++depth) {
    for (size_t from = seen.size(); from-- > 0;) {
      const Events& events = seen[from]->events;
      std::set<Tid> threads;
      for (const SeenEvent& event : events) {
        if (event.function == function) threads.insert(event.tid);
      }
      for (const Tid tid : threads) {
        const std::vector<Precondition> reads =
            DependentReads(events, tid, events.size(), function);
        if (depth >= reads.size()) continue;
        Proposal proposal = {from, {TurnedAround(reads[depth])}};
        for (size_t i = depth + 1;
             i < reads.size() && proposal.preconditions.size() < kMaxAdded;
             ++i) {
          proposal.preconditions.push_back(reads[i]);
        }
        all.push_back(std::move(proposal));
        if (all.size() > index) return all[index];
      }
    }
  }
  return {};
}

// The role that a thread of an execution has, by the steps that it did.
std::string RoleOf(const Target& target, const Events& events, Tid tid) {
  for (const TargetStep& step : target.steps) {
    const std::optional<size_t> at = FindStep(events, step);
    if (at && events[*at].tid == tid) return step.thread;
  }
  return "";
}

// Where a new step goes: ahead of the first step of its thread that comes later
// in the execution, or did not come.
size_t PositionOf(const std::vector<TargetStep>& steps, const Events& events,
                  const std::string& role, size_t at) {
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].thread != role) continue;
    const std::optional<size_t> seen = FindStep(events, steps[i]);
    if (!seen || *seen > at) return i;
  }
  return steps.size();
}

// Adds a step, and gives out its index.
uint32_t Insert(Prepared& prepared, const Events& events,
                const std::string& role, size_t at) {
  Target& target = prepared.target;
  const SeenEvent& event = events[at];
  const size_t position = PositionOf(target.steps, events, role, at);
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

SeenExecution AttemptObserver::Finish(Namer& namer, uint16_t in_sight) {
  SeenExecution seen;
  seen.in_sight = in_sight;
  std::map<uint32_t, trace::SiteName> sites;
  for (Raw& raw : raw_) {
    if (!raw.instrumented) {
      raw.event.anchor = namer.Caller(raw.site).anchor;
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
    return FindStep(each->events, target.steps[step]).has_value();
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
    std::string writer = RoleOf(target, from.events, tid);
    if (writer.empty() || writer == reader) {
      writer = fmt::format("other{}", abi::Index(tid));
    }
    uint32_t read = Insert(prepared, from.events, reader, each.read);
    const uint32_t write = Insert(prepared, from.events, writer, each.write);
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
