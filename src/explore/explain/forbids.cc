#include "explore/explain/forbids.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/prediction.h"
#include "explore/explain/ordered_events.h"
#include "order/happens_before.h"
#include "order/locksets.h"
#include "trace/kinds.h"

namespace fairlead::explore {
namespace {

using order::Epoch;
using trace::Event;

// Of one site in one execution: a loop of a million passes shows no more.
constexpr size_t kMostInstances = 256;

uint64_t AnchorOf(const Event& event, const trace::Names& names) {
  if (event.instrumented()) {
    const auto site = names.sites.find(event.site);
    return site == names.sites.end() ? 0 : site->second.anchor;
  }
  const auto caller = names.callers.find(event.site);
  return caller == names.callers.end() ? 0 : caller->second.anchor;
}

std::string PlaceOf(const Event& event, const trace::Names& names) {
  const trace::Place* place = names.ShownPlaceOf(event);
  if (place == nullptr) return "an unknown place";
  return fmt::format("{}:{}", place->file, place->line);
}

// "pthread_join" would be the call; this is what it does: "join at a.c:9".
std::string EventText(const Event& event, const trace::Names& names) {
  return fmt::format("{} at {} ({})", trace::WordOf(event.kind),
                     PlaceOf(event, names), names.ThreadText(event.tid));
}

// Of the memory that it is about: of a block that ends, all of it.
uint64_t BytesOf(const Event& event) {
  const uint64_t bytes =
      event.kind == trace::EventKind::kFree ? event.value : event.size;
  return std::max<uint64_t>(bytes, 1);
}

// Whether the pairs lead from something back to itself.
bool HasCircle(std::set<std::pair<uint64_t, uint64_t>> pairs) {
  for (bool more = true; more;) {
    more = false;
    const auto known = pairs;
    for (const auto& [a, b] : known) {
      for (auto next = known.lower_bound({b, 0});
           next != known.end() && next->first == b; ++next) {
        more |= pairs.emplace(a, next->second).second;
      }
    }
  }
  return std::ranges::any_of(
      pairs, [](const auto& pair) { return pair.first == pair.second; });
}

const Event* FindSeq(const trace::Trace& trace, uint64_t seq) {
  return trace.FindEvent(seq);
}

}  // namespace

Forbids::Forbids(const finding::Ordering& ordering, finding::Kind kind)
    : ordering_(ordering), deadlock_(kind == finding::Kind::kDeadlock) {
  const auto add = [&](const finding::StepPair& pair) {
    const auto& steps = ordering.target.steps;
    if (steps[pair.before].anchor == 0 || steps[pair.after].anchor == 0) return;
    pairs_.push_back(pair);
  };
  for (const finding::StepPair& pair : ordering.common) add(pair);
  if (!ordering.common.empty()) return;
  for (const finding::TargetEdge& edge : ordering.target.edges) {
    add({.before = edge.before, .after = edge.after});
  }
}

// A function that many call is meant only as it was called, if it still is.
void Forbids::KeepCalls(const std::string& calls,
                        std::vector<Instance>& instances) {
  const auto other = [&](const Instance& instance) {
    return instance.calls != calls;
  };
  if (!std::ranges::all_of(instances, other)) std::erase_if(instances, other);
}

void Forbids::Learn(const trace::Trace& trace) {
  const finding::Target& target = ordering_.target;
  Execution execution;
  execution.of_step.resize(target.steps.size());
  execution.orders.resize(pairs_.size());
  order::Locksets locks;
  std::map<std::pair<trace::Tid, uint64_t>, uint32_t> passes;
  for (size_t i = 0; i < trace.events.size(); ++i) {
    const Event& event = trace.events[i];
    const uint64_t anchor = AnchorOf(event, trace.names);
    std::vector<Instance::Held> held;
    const auto hold = [&] {
      for (const order::HeldLock& lock : locks.HeldBy(event.tid)) {
        const bool known = std::ranges::any_of(held, [&](const auto& other) {
          return other.lock == lock.lock && other.section == lock.section;
        });
        if (known) continue;
        const Event* taken = FindSeq(trace, lock.seq);
        held.push_back(
            {.lock = lock.lock,
             .section = lock.section,
             .exclusive = lock.mode == order::LockMode::kExclusive,
             .text = fmt::format(
                 "{}, taken at {}", trace.names.ObjectText(lock.lock),
                 taken == nullptr ? "an unknown place"
                                  : PlaceOf(*taken, trace.names))});
      }
    };
    // A wake-up, for instance, is told at the place of the lock.
    const auto is_at = [&](const finding::TargetStep& step) {
      return step.anchor == anchor &&
             (step.operation == finding::Operation::kCall ||
              step.operation == analysis::OperationOf(event.kind));
    };
    const bool wanted = anchor != 0 && std::ranges::any_of(target.steps, is_at);
    // A lock's own event is inside its section, and so is the unlock's.
    if (wanted) hold();
    locks.OnEvent(event);
    if (!wanted) continue;
    hold();
    const uint32_t pass = ++passes[{event.tid, anchor}];
    for (size_t s = 0; s < target.steps.size(); ++s) {
      if (!is_at(target.steps[s])) continue;
      std::vector<Instance>& instances = execution.of_step[s];
      if (instances.size() >= kMostInstances) continue;
      instances.push_back({.position = i,
                           .tid = event.tid,
                           .object = event.address,
                           .bytes = BytesOf(event),
                           .pass = pass,
                           .calls = CallsOf(event, trace.names),
                           .held = held});
    }
  }
  for (size_t s = 0; s < target.steps.size(); ++s) {
    const bool any = std::ranges::any_of(pairs_, [&](const auto& pair) {
      return pair.after == s && IsFirstWrite(pair);
    });
    if (!any) KeepCalls(ordering_.names[s].calls, execution.of_step[s]);
  }
  LearnOrders(trace, execution);
  executions_.push_back(std::move(execution));
}

// An edge says x before y; it cannot be where every y is ordered before x.
void Forbids::LearnOrders(const trace::Trace& trace,
                          Execution& execution) const {
  const finding::Target& target = ordering_.target;
  order::HappensBefore all(order::EdgeSet::All());
  order::HappensBefore strong(order::kWithoutLocks);
  struct Stamp {
    Epoch all;
    Epoch strong;
  };
  std::map<size_t, Stamp> stamps;  // by position, of steps' events
  std::map<size_t, std::vector<size_t>> steps_at;
  for (size_t s = 0; s < target.steps.size(); ++s) {
    for (const Instance& instance : execution.of_step[s]) {
      steps_at[instance.position].push_back(s);
    }
  }
  // By thread: the last event that taught it something, by what it knew.
  for (size_t i = 0; i < trace.events.size(); ++i) {
    const Event& event = trace.events[i];
    const Stamp stamp = {all.OnEvent(event), strong.OnEvent(event)};
    const auto at = steps_at.find(i);
    if (at == steps_at.end()) continue;
    stamps[i] = stamp;
    for (size_t e = 0; e < pairs_.size(); ++e) {
      const finding::StepPair& edge = pairs_[e];
      if (std::ranges::find(at->second, edge.before) == at->second.end() ||
          !CanBeOrdered(edge)) {
        continue;
      }
      const bool both = !target.steps[edge.before].object.empty() &&
                        !target.steps[edge.after].object.empty();
      // This is an x; is every y of other threads ordered before it?
      Execution::Order& order = execution.orders[e];
      bool any = false;
      bool ordered_all = true;
      bool ordered_strong = true;
      const auto& ys = execution.of_step[edge.after];
      for (const Instance& y : ys) {
        // Of a value that is read before the first time that it is set, only
        // that time, whoever does it.
        if (IsFirstWrite(edge) && (&y != &ys.front())) break;
        const bool apart = y.object + y.bytes <= event.address ||
                           event.address + BytesOf(event) <= y.object;
        if (y.tid == event.tid || (both && apart)) continue;
        any = true;
        if (y.position >= i) {
          ordered_all = ordered_strong = false;
          continue;
        }
        const Stamp& known = stamps[y.position];
        ordered_all &= all.ClockOf(event.tid).Covers(known.all);
        ordered_strong &= strong.ClockOf(event.tid).Covers(known.strong);
      }
      if (!any) continue;
      order.any_pair = true;
      order.by_all &= ordered_all;
      order.without_locks &= ordered_strong;
      if (!ordered_strong || !order.text.empty()) continue;
      // The last thing that x's thread did to synchronise says how.
      for (size_t back = i; back-- > 0;) {
        const Event& other = trace.events[back];
        if (other.tid != event.tid) continue;
        const auto group = trace::GroupOf(other.kind);
        if (group == trace::EventGroup::kSync ||
            group == trace::EventGroup::kWake ||
            group == trace::EventGroup::kThread) {
          // A lock that became free orders nothing in other schedules, nor does
          // time.
          if (trace::WordOf(other.kind).contains("lock") ||
              other.kind == trace::EventKind::kSleep ||
              other.kind == trace::EventKind::kYield) {
            continue;
          }
          order.text = EventText(other, trace.names);
          break;
        }
      }
    }
  }
}

// The same function may be passed for other memory: a copy, a local. Whether it
// is, can be told only where both steps are about one object, or one of them is
// about none.
bool Forbids::CanBeOrdered(const finding::StepPair& edge) const {
  const auto& steps = ordering_.target.steps;
  const auto& before = steps[edge.before];
  const auto& after = steps[edge.after];
  return before.object.empty() || after.object.empty() ||
         before.operation == finding::Operation::kFree ||
         after.operation == finding::Operation::kFree ||
         before.object == after.object;
}

bool Forbids::IsFirstWrite(const finding::StepPair& edge) const {
  const finding::TargetStep& before = ordering_.target.steps[edge.before];
  const finding::TargetStep& after = ordering_.target.steps[edge.after];
  return before.operation == finding::Operation::kRead &&
         after.operation == finding::Operation::kWrite &&
         after.occurrence == 1 && !after.object.empty() &&
         after.object == before.object;
}

bool Forbids::SameObject(size_t a, size_t b) const {
  const auto& steps = ordering_.target.steps;
  return !steps[a].object.empty() && steps[a].object == steps[b].object;
}

// Where the orders are about certain passes of a thread, such as the fourth
// here and the fifth there, events belong together that are as many passes
// apart.
bool Forbids::GoTogether(size_t one, const Instance& a, size_t other,
                         const Instance& b) const {
  const auto& steps = ordering_.target.steps;
  const uint32_t first = steps[one].occurrence;
  const uint32_t second = steps[other].occurrence;
  if (first == 0 || second == 0) return true;
  return int64_t{b.pass} - a.pass == int64_t{second} - first;
}

bool Forbids::Reached(size_t step) const {
  const auto& steps = ordering_.target.steps;
  for (const Execution& execution : executions_) {
    for (const Instance& instance : execution.of_step[step]) {
      for (size_t other = 0; other < steps.size(); ++other) {
        if (steps[other].thread == steps[step].thread) continue;
        const bool there = std::ranges::any_of(
            execution.of_step[other],
            [&](const Instance& of) { return of.tid != instance.tid; });
        if (there) return true;
      }
    }
  }
  return false;
}

std::optional<std::string> Forbids::ByOrder(size_t edge) const {
  bool without_locks = false;
  std::string text;
  for (const Execution& execution : executions_) {
    const Execution::Order& order = execution.orders[edge];
    if (!order.any_pair) continue;
    if (!order.by_all) return {};
    if (order.without_locks) {
      without_locks = true;
      if (text.empty()) text = order.text;
    }
  }
  if (!without_locks) return {};
  return text.empty() ? "the order of synchronisation"
                      : fmt::format("synchronisation: {}", text);
}

// Edges x1 before y1 and y2 before x2.
std::optional<std::string> Forbids::ByLock(size_t one, size_t other) const {
  const finding::Target& target = ordering_.target;
  const size_t x1 = pairs_[one].before;
  const size_t y1 = pairs_[one].after;
  const size_t y2 = pairs_[other].before;
  const size_t x2 = pairs_[other].after;
  if (target.steps[x1].thread != target.steps[x2].thread ||
      target.steps[y1].thread != target.steps[y2].thread) {
    return {};
  }
  // One operation of its own cannot be divided.
  const bool atomic = x1 != x2 &&
                      target.steps[x1].anchor == target.steps[x2].anchor &&
                      target.steps[x1].operation == finding::Operation::kRmw &&
                      target.steps[x2].operation == finding::Operation::kRmw;
  std::string by;
  bool any = false;
  for (const Execution& execution : executions_) {
    for (const Instance& a : execution.of_step[x1]) {
      // What follows it in its thread, the first of it.
      const auto b = std::ranges::find_if(
          execution.of_step[x2], [&](const Instance& next) {
            const bool behind = atomic ? next.position == a.position
                                       : next.position > a.position;
            return next.tid == a.tid && behind && GoTogether(x1, a, x2, next);
          });
      if (b == execution.of_step[x2].end()) continue;
      for (const Instance& c : execution.of_step[y1]) {
        if (c.tid == a.tid) continue;
        if (SameObject(x1, y1) && c.object != a.object) continue;
        any = true;
        if (atomic) {
          by = "one atomic operation";
          continue;
        }
        // y2 is y1, comes behind it, or is in the same section.
        const auto holds = [&](const Instance::Held& lock) {
          const auto same = [&](const Instance& of, uint64_t section) {
            return std::ranges::any_of(of.held, [&](const auto& held) {
              return held.lock == lock.lock && held.section == section;
            });
          };
          if (!same(*b, lock.section)) return false;
          const auto theirs =
              std::ranges::find_if(c.held, [&](const auto& held) {
                return held.lock == lock.lock &&
                       (held.exclusive || lock.exclusive);
              });
          if (theirs == c.held.end()) return false;
          if (y1 == y2) return true;
          return std::ranges::all_of(
              execution.of_step[y2], [&](const Instance& d) {
                return d.tid != c.tid || !GoTogether(y1, c, y2, d) ||
                       d.position >= c.position || same(d, theirs->section) ||
                       std::ranges::any_of(execution.of_step[y1],
                                           [&](const Instance& later) {
                                             return later.tid == d.tid &&
                                                    later.position < d.position;
                                           });
              });
        };
        const auto lock = std::ranges::find_if(a.held, holds);
        if (lock == a.held.end()) return {};
        if (by.empty()) {
          const auto theirs = std::ranges::find_if(
              c.held,
              [&](const auto& held) { return held.lock == lock->lock; });
          by = fmt::format("lock {} and at {}", lock->text,
                           theirs->text.substr(theirs->text.rfind(' ') + 1));
        }
      }
    }
  }
  if (!any || by.empty()) return {};
  return by;
}

// Each of two threads had a lock and asked for the other's. Where all who take
// these locks take them in one order, or none has one while it asks for the
// other, they cannot.
std::optional<std::string> Forbids::ByLockOrder(size_t one,
                                                size_t other) const {
  if (!deadlock_) return {};
  const auto& steps = ordering_.target.steps;
  const finding::StepPair& a = pairs_[one];
  const finding::StepPair& b = pairs_[other];
  for (const uint32_t step : {a.before, a.after, b.before, b.after}) {
    if (steps[step].operation != finding::Operation::kLock) return {};
  }
  if (steps[a.before].thread != steps[b.after].thread ||
      steps[a.after].thread != steps[b.before].thread) {
    return {};
  }
  std::set<std::pair<uint64_t, uint64_t>> nested;
  std::string outer;
  bool several = false;
  std::optional<trace::Tid> first;
  for (const Execution& execution : executions_) {
    for (const uint32_t step : {a.after, b.after}) {
      for (const Instance& taken : execution.of_step[step]) {
        several |= first && *first != taken.tid;
        first = taken.tid;
        for (const Instance::Held& held : taken.held) {
          if (held.lock == taken.object) continue;
          nested.emplace(held.lock, taken.object);
          if (outer.empty()) outer = held.text;
        }
      }
    }
  }
  if (!several || HasCircle(std::move(nested))) return {};
  return outer.empty() ? "no thread has one lock while it takes the other"
                       : fmt::format("one order of locks: {} first", outer);
}

std::optional<Forbidden> Forbids::Answer() const {
  for (size_t i = 0; i < pairs_.size(); ++i) {
    for (size_t j = 0; j < pairs_.size(); ++j) {
      if (i == j || !(pairs_[i].needed || pairs_[j].needed)) continue;
      auto by = ByLock(i, j);
      if (!by) by = ByLockOrder(i, j);
      if (by) return Forbidden{.edges = {i, j}, .by = *std::move(by)};
    }
  }
  for (size_t i = 0; i < pairs_.size(); ++i) {
    if (!pairs_[i].needed) continue;
    if (auto by = ByOrder(i)) {
      return Forbidden{.edges = {i}, .by = *std::move(by)};
    }
  }
  return {};
}

}  // namespace fairlead::explore
