#include "analysis/atomicity/atomicity.h"

#include <algorithm>

namespace fairlead::analysis {
namespace {

using order::AccessKind;
using order::History;
using order::LocksetId;
using order::Reads;
using order::Spot;
using order::TypeId;
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
    variables_.Forget(order.variables(), [](uint64_t, State&) {});
    return;
  }
  const Now now = {order.TypeOf(event, kind),
                   order.stamps(event.seq),
                   event.tid,
                   static_cast<uint32_t>(instructions_[index]),
                   order,
                   out};
  variables_.Touch(order.variables(), [&](uint64_t address, State& state) {
    OnAccess(address, state, now);
  });
}

void Atomicity::OnAccess(uint64_t address, State& state, const Now& now) {
  const History& entries = state.entries;
  size_t last = History::kNone;   // the thread's own last access
  size_t known = History::kNone;  // its last of this type
  for (size_t i = 0; i < entries.size(); ++i) {
    if (order::TidOf(entries.type(i)) != now.tid) continue;
    if (entries.type(i) == static_cast<uint32_t>(now.type)) known = i;
    if (last == History::kNone ||
        entries.stamps(i).seq > entries.stamps(last).seq) {
      last = i;
    }
  }
  if (last != History::kNone && last != known &&
      now.instructions - entries.extra(last) <= kWindow) {
    OnPair(address, state, last, now);
  }
  OnEntry(address, state, known, now);
}

void Atomicity::OnPair(uint64_t address, State& state, size_t first_entry,
                       const Now& now) {
  order::Model& order = now.order;
  const auto first_type = static_cast<TypeId>(state.entries.type(first_entry));
  const uint64_t first_seq = state.entries.stamps(first_entry).seq;
  const order::AccessType& first = order.types()[first_type];
  const order::AccessType& second = order.types()[now.type];
  if (first.spot.key() == second.spot.key() ||
      second.spot.kind == EventKind::kCas) {
    return;
  }
  const Pair pair = {first_type, now.type,
                     HeldSince(first_seq, now.tid, order.locks())};
  if (pair.over == LocksetId::kEmpty &&
      order.locks().Exclude(first.locks, second.locks) &&
      !(first.kind == AccessKind::kRead && Writes(second.kind))) {
    return;  // sections of their own, and no stale value is written
  }
  const uint32_t number = NumberOf(pair);
  History& pairs = state.pairs;
  const auto distance = static_cast<uint32_t>(
      std::min<uint64_t>(now.stamps.seq - first_seq, ~uint32_t{0}));
  const size_t known = pairs.Find(number);
  if (known != History::kNone) {
    // Within one segment, what came since has been compared with this already.
    if (pairs.stamps(known).SameSegment(now.stamps)) return;
    pairs.stamps(known) = now.stamps;
    pairs.extra(known) = distance;
    pairs.ForEachPartner(known, [&](size_t entry) {
      Compare(address, state, known, entry, now);
    });
    return;
  }
  if (pairs.full()) state.entries.RemovePartner(pairs.DropOldest());
  const size_t index = pairs.Add(number, now.stamps);
  pairs.extra(index) = distance;
  for (size_t entry = 0; entry < state.entries.size(); ++entry) {
    const auto other = static_cast<TypeId>(state.entries.type(entry));
    if (!MayMeet(pair, other, order)) continue;
    pairs.SetPartner(index, entry);
    state.entries.SetPartner(entry, index);
    Compare(address, state, index, entry, now);
  }
}

void Atomicity::OnEntry(uint64_t address, State& state, size_t known,
                        const Now& now) {
  History& entries = state.entries;
  if (known != History::kNone) {
    const bool same = entries.stamps(known).SameSegment(now.stamps);
    entries.stamps(known) = now.stamps;
    entries.extra(known) = now.instructions;
    if (same) return;
    entries.ForEachPartner(
        known, [&](size_t pair) { Compare(address, state, pair, known, now); });
    return;
  }
  if (entries.full()) state.pairs.RemovePartner(entries.DropOldest());
  const size_t index = entries.Add(static_cast<uint32_t>(now.type), now.stamps);
  entries.extra(index) = now.instructions;
  for (size_t pair = 0; pair < state.pairs.size(); ++pair) {
    if (!MayMeet(pairs_[state.pairs.type(pair)], now.type, now.order)) continue;
    entries.SetPartner(index, pair);
    state.pairs.SetPartner(pair, index);
    Compare(address, state, pair, index, now);
  }
}

uint32_t Atomicity::NumberOf(const Pair& pair) {
  if (const uint32_t* known = numbers_.Find(pair)) return *known;
  const auto next = static_cast<uint32_t>(pairs_.size());
  numbers_.Add(pair, next);
  pairs_.push_back(pair);
  return next;
}

bool Atomicity::MayMeet(const Pair& pair, TypeId other, order::Model& order) {
  const order::AccessType& first = order.types()[pair.first];
  const order::AccessType& second = order.types()[pair.second];
  const order::AccessType& between = order.types()[other];
  return between.spot.tid != first.spot.tid &&
         Unserialisable(first.kind, between.kind, second.kind) &&
         !order.locks().Exclude(pair.over, between.locks);
}

// Asked at the later of the two, of which the other is ordered before or not.
void Atomicity::Compare(uint64_t address, const State& state, size_t pair,
                        size_t entry, const Now& now) {
  const order::AccessTypes& types = now.order.types();
  const Pair& two = pairs_[state.pairs.type(pair)];
  const auto other = static_cast<TypeId>(state.entries.type(entry));
  const bool second_is_later = types[two.second].spot.tid == now.tid;
  const Tid early_tid = types[second_is_later ? other : two.second].spot.tid;
  const order::Stamps& early =
      second_is_later ? state.entries.stamps(entry) : state.pairs.stamps(pair);
  const bool atomic = types[two.first].atomic && types[two.second].atomic &&
                      types[other].atomic;
  const bool ordered =
      atomic ? now.order.loose().ClockOf(now.tid).Of(early_tid) >= early.loose
             : now.order.weak().ClockOf(now.tid).Of(early_tid) >= early.weak;
  if (!ordered) Report(address, state, pair, entry, now);
}

void Atomicity::Report(uint64_t address, const State& state, size_t pair,
                       size_t entry, const Now& now) {
  order::Model& order = now.order;
  const order::AccessTypes& types = order.types();
  const Pair& two = pairs_[state.pairs.type(pair)];
  const auto other = static_cast<TypeId>(state.entries.type(entry));
  const Spot first = types.SpotAt(
      two.first, state.pairs.stamps(pair).seq - state.pairs.extra(pair));
  const Spot between = types.SpotAt(other, state.entries.stamps(entry).seq);
  const Spot second = types.SpotAt(two.second, state.pairs.stamps(pair).seq);
  if (order.IsBenign(address) ||
      !reported_.AddOrdered(first.key(), between.key(), second.key())) {
    return;
  }
  Prediction prediction = NewPrediction(name(), "atomicity violation");
  prediction.seen = first.seq < between.seq && between.seq < second.seq;
  const std::string object = AddObject(prediction, "x", address);
  const uint32_t steps[] = {AddStep(prediction, first, object),
                            AddStep(prediction, between, object),
                            AddStep(prediction, second, object)};
  prediction.holds[1] = HoldSpot(types[other].hold);
  finding::TargetEdge opening = {.before = steps[0], .after = steps[1]};
  // The first access was inside a section that keeps the other out: the window
  // opens where that section ends.
  for (const order::Locksets::Member& lock :
       order.locks().MembersOf(types[two.first].locks)) {
    const LocksetId alone = order.locks().Intern({lock});
    if (!order.locks().Exclude(alone, types[other].locks) ||
        order.locks().Exclude(alone, two.over)) {
      continue;
    }
    opening.opens.push_back(
        AddObject(prediction, fmt::format("m{}", opening.opens.size() + 1),
                  lock.lock, finding::Relation::kLock));
  }
  prediction.target.edges.push_back(std::move(opening));
  prediction.target.edges.push_back(
      {.before = steps[1],
       .after = steps[2],
       .adjacency = finding::Adjacency::kNotOwnThread});
  now.out.Report(std::move(prediction));
}

}  // namespace fairlead::analysis
