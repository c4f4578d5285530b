#include "analysis/atomicity/atomicity.h"

#include <algorithm>

namespace fairlead::analysis {
namespace {

using order::AccessKind;
using order::LocksetId;
using order::Reads;
using order::Spot;
using order::Writes;
using trace::Event;
using trace::EventKind;

// An update counts as a write; as the second of two it also reads.
bool Unserialisable(AccessKind first, AccessKind other, AccessKind second) {
  if (Writes(other)) {
    return Reads(second) || (first == AccessKind::kRead && Writes(second));
  }
  return Writes(first) && second == AccessKind::kWrite;
}

Spot HoldSpot(uint64_t site_key) {
  Spot spot;
  spot.site = static_cast<uint32_t>(site_key >> 1);
  spot.instrumented = (site_key & 1) != 0;
  return spot;
}

// The locks of `tid` that it has held without a break since before `seq`.
LocksetId HeldSince(uint64_t seq, trace::Tid tid, order::Locksets& locks) {
  const auto held = locks.HeldBy(tid);
  if (held.empty()) return LocksetId::kEmpty;
  const auto since = [&](const order::HeldLock& lock) {
    return lock.seq < seq;
  };
  if (std::ranges::all_of(held, since)) return locks.SetOf(tid);
  if (std::ranges::none_of(held, since)) return LocksetId::kEmpty;
  std::vector<order::Locksets::Member> members;
  for (const order::HeldLock& lock : held) {
    if (since(lock)) members.push_back({lock.lock, lock.mode});
  }
  return locks.Intern(std::move(members));
}

}  // namespace

void Atomicity::OnEvent(const Event& event, order::Model& order,
                        PredictionSink& out) {
  const size_t index = abi::Index(event.tid);
  if (index >= instructions_.size()) instructions_.resize(index + 1);
  instructions_[index] += event.instructions;
  const AccessKind kind = order::AccessOf(event);
  if (kind == AccessKind::kNone) {
    if (order::EndsMemory(event.kind)) {
      variables_.Forget(event.address, event.value, [](uint64_t, State&) {});
    } else if (event.kind == EventKind::kBenign) {
      variables_.Touch(event.address, event.value,
                       [](uint64_t, State& state) { state.benign = true; });
    }
    return;
  }
  const auto held = order.locks().HeldBy(event.tid);
  const Entry now = {order::SpotOf(event),
                     order.weak_epoch(),
                     order.loose_epoch(),
                     order.locks().SetOf(event.tid),
                     kind,
                     order::IsAtomic(event),
                     held.empty() ? 0 : held.front().site};
  variables_.Touch(event.address, event.size,
                   [&](uint64_t address, State& state) {
                     OnAccess(address, state, now, order, out);
                   });
}

void Atomicity::OnAccess(uint64_t address, State& state, const Entry& now,
                         order::Model& order, PredictionSink& out) {
  const Tid tid = now.spot.tid;
  const uint64_t instructions = instructions_[abi::Index(tid)];
  const auto last = std::ranges::find_if(state.lasts, [&](const Last& each) {
    return each.entry.spot.tid == tid;
  });
  if (last == state.lasts.end()) {
    state.lasts.push_back({now, instructions});
  } else {
    const bool near = instructions - last->instructions <= kWindow;
    const bool again = last->entry.spot.key() == now.spot.key();
    if (near && !again && now.spot.kind != EventKind::kCas) {
      OnPair(address, state, {last->entry, now, LocksetId::kEmpty}, order, out);
    }
    *last = {now, instructions};
  }
  if (!Remember(state, now) || state.benign) return;
  for (const Pair& pair : state.pairs) {
    if (MayMeet(pair, now, pair.second, order)) {
      Report(address, pair, now, order, out);
    }
  }
}

// Whether `other` may come between the two. `early` is the one of the second
// access and the other that came first; the order is asked now, at the later.
bool Atomicity::MayMeet(const Pair& pair, const Entry& other,
                        const Entry& early, order::Model& order) {
  const Tid tid = pair.first.spot.tid;
  if (other.spot.tid == tid ||
      !Unserialisable(pair.first.kind, other.kind, pair.second.kind)) {
    return false;
  }
  const Tid later = early.spot.tid == tid ? other.spot.tid : tid;
  const bool atomic = pair.first.atomic && pair.second.atomic && other.atomic;
  const bool ordered = atomic ? order.loose().ClockOf(later).Covers(early.loose)
                              : order.weak().ClockOf(later).Covers(early.epoch);
  return !ordered && !order.locks().Exclude(pair.over, other.locks);
}

void Atomicity::OnPair(uint64_t address, State& state, Pair pair,
                       order::Model& order, PredictionSink& out) {
  const Tid tid = pair.first.spot.tid;
  pair.over = HeldSince(pair.first.spot.seq, tid, order.locks());
  if (pair.over == LocksetId::kEmpty &&
      order.locks().Exclude(pair.first.locks, pair.second.locks) &&
      !(pair.first.kind == AccessKind::kRead && Writes(pair.second.kind))) {
    return;  // sections of their own, and no stale value is written
  }
  const auto same = std::ranges::find_if(state.pairs, [&](const Pair& each) {
    return each.first.spot.tid == tid &&
           each.first.spot.key() == pair.first.spot.key() &&
           each.second.spot.key() == pair.second.spot.key() &&
           each.over == pair.over;
  });
  if (same != state.pairs.end() && same->second.epoch == pair.second.epoch &&
      same->second.loose == pair.second.loose) {
    return;  // what came since has been compared with that one
  }
  if (!state.benign) {
    for (const Entry& other : state.entries) {
      if (MayMeet(pair, other, other, order)) {
        Report(address, pair, other, order, out);
      }
    }
  }
  if (same != state.pairs.end()) {
    *same = std::move(pair);
    return;
  }
  if (state.pairs.size() == kMaxEntries) state.pairs.erase(state.pairs.begin());
  state.pairs.push_back(std::move(pair));
}

// False when an access like it, in the same segment, is there already.
bool Atomicity::Remember(State& state, const Entry& now) {
  for (Entry& entry : state.entries) {
    if (entry.spot.tid != now.spot.tid || entry.spot.key() != now.spot.key() ||
        entry.locks != now.locks) {
      continue;
    }
    const bool fresh = entry.epoch != now.epoch || entry.loose != now.loose;
    entry = now;
    return fresh;
  }
  if (state.entries.size() == kMaxEntries) {
    state.entries.erase(state.entries.begin());
  }
  state.entries.push_back(now);
  return true;
}

void Atomicity::Report(uint64_t address, const Pair& pair, const Entry& other,
                       order::Model& order, PredictionSink& out) {
  if (!reported_.AddOrdered(pair.first.spot.key(), other.spot.key(),
                            pair.second.spot.key())) {
    return;
  }
  Prediction prediction = NewPrediction(name(), "atomicity violation");
  prediction.seen = pair.first.spot.seq < other.spot.seq &&
                    other.spot.seq < pair.second.spot.seq;
  const std::string object = AddObject(prediction, "x", address);
  const uint32_t first = AddStep(prediction, pair.first.spot, object);
  const uint32_t between = AddStep(prediction, other.spot, object);
  const uint32_t second = AddStep(prediction, pair.second.spot, object);
  prediction.holds[between] = HoldSpot(other.hold);
  prediction.target.edges.push_back({.before = first, .after = between});
  // The first access was inside a section that keeps the other out: the window
  // opens where that section ends.
  for (const order::Locksets::Member& lock :
       order.locks().MembersOf(pair.first.locks)) {
    const LocksetId alone = order.locks().Intern({lock});
    if (!order.locks().Exclude(alone, other.locks) ||
        order.locks().Exclude(alone, pair.over)) {
      continue;
    }
    std::vector<std::string>& opens = prediction.target.edges[0].opens;
    opens.push_back(AddObject(prediction, fmt::format("m{}", opens.size() + 1),
                              lock.lock, finding::Relation::kLock));
  }
  prediction.target.edges.push_back(
      {.before = between,
       .after = second,
       .adjacency = finding::Adjacency::kNotOwnThread});
  out.Report(std::move(prediction));
}

}  // namespace fairlead::analysis
