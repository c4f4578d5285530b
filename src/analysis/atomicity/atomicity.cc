#include "analysis/atomicity/atomicity.h"

#include <algorithm>

#include "analysis/makers.h"

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

void Atomicity::OnAccess(const Event& event, order::Model& order,
                         PredictionSink& out) {
  const auto entered = order.Enter(event);
  const Now now = {order.TypeOf(event, order.kind()), order.stamps(event.seq),
                   event.tid, order, out};
  for (const order::Entered& each : entered) OnEntered(each, event, now);
}

void Atomicity::OnEntered(const order::Entered& entered, const Event& event,
                          const Now& now) {
  State state = {entered.address, *entered.pairs, *entered.history};
  if (entered.dropped != History::kNone) {
    for (size_t i = 0; i < state.pairs.size(); ++i) {
      state.pairs[i].others.Remove(entered.dropped);
    }
  }
  History::Entry& entry = state.entries[entered.index];
  if (entered.follows && entry.extra - entered.last_instructions <= kWindow &&
      event.kind != EventKind::kCas) {
    OnFollower(state, entry, entered, now);
  }
  if (!entered.fresh &&
      (entry.others.empty() || entered.before.SameSegment(now.stamps))) {
    return;
  }
  OnEntry(state, entered, now);
}

void Atomicity::OnFollower(State& state, History::Entry& entry,
                           const order::Entered& entered, const Now& now) {
  order::Locksets& locks = now.order.locks();
  const bool quiet = now.order.QuietSince(entered.last_seq);
  // With nothing given or taken between the two, what is held over both is what
  // their types say, and what it followed in this segment has been looked at.
  if (entered.fresh || !entered.before.SameSegment(now.stamps)) {
    entry.followed = {};
  } else if (quiet && entry.followed.Has(entered.last_index)) {
    return;
  }
  if (quiet && entered.dropped == History::kNone) {
    entry.followed.Add(entered.last_index);
  }
  const LocksetId over = quiet ? locks.SetOf(now.tid)
                               : HeldSince(entered.last_seq, now.tid, locks);
  const uint32_t number = NumberOf({entered.last, now.type, over}, now.order);
  if (number != kHarmless) OnPair(state, number, entered.last_seq, now);
}

void Atomicity::OnPair(State& state, uint32_t number, uint64_t first_seq,
                       const Now& now) {
  History& pairs = state.pairs;
  const auto distance = static_cast<uint32_t>(
      std::min<uint64_t>(now.stamps.seq - first_seq, ~uint32_t{0}));
  const auto [known, last] = pairs.Search(number, order::kTypeBits);
  if (known != History::kNone) {
    History::Entry& entry = pairs[known];
    // Within one segment, what came since has been compared with this already.
    if (entry.stamps.SameSegment(now.stamps)) return;
    entry.stamps = now.stamps;
    entry.extra = distance;
    pairs.Touch(known, last);
    entry.others.ForEach(
        [&](size_t each) { Compare(state, known, each, now); });
    return;
  }
  if (pairs.full()) {
    const size_t dropped = pairs.DropOldest();
    for (size_t i = 0; i < state.entries.size(); ++i) {
      state.entries[i].others.Remove(dropped);
      state.entries[i].followed = {};  // the pair may come back
    }
  }
  const size_t index = pairs.Add(number, now.stamps, distance);
  for (size_t entry = 0; entry < state.entries.size(); ++entry) {
    const auto other = static_cast<TypeId>(state.entries.type(entry));
    if (!MayMeet(PairOf(number), other, now.order)) continue;
    pairs[index].others.Add(entry);
    state.entries[entry].others.Add(index);
    Compare(state, index, entry, now);
  }
}

void Atomicity::OnEntry(State& state, const order::Entered& entered,
                        const Now& now) {
  History& entries = state.entries;
  if (!entered.fresh) {
    entries[entered.index].others.ForEach(
        [&](size_t pair) { Compare(state, pair, entered.index, now); });
    return;
  }
  for (size_t pair = 0; pair < state.pairs.size(); ++pair) {
    if (!MayMeet(PairOf(state.pairs.type(pair)), now.type, now.order)) continue;
    entries[entered.index].others.Add(pair);
    state.pairs[pair].others.Add(entered.index);
    Compare(state, pair, entered.index, now);
  }
}

uint32_t Atomicity::NumberOf(const Pair& pair, order::Model& order) {
  if (const uint32_t* known = numbers_.Find(pair)) return *known;
  uint32_t number = kHarmless;
  if (MayMatter(pair, order)) {
    const size_t thread =
        abi::Index(order::TidOf(static_cast<uint32_t>(pair.second)));
    if (thread >= pairs_.size()) pairs_.resize(thread + 1);
    std::vector<Pair>& pairs = pairs_[thread];
    if (pairs.empty()) pairs.emplace_back();
    if (pairs.size() > order::kTypeMask) return kHarmless;
    number = static_cast<uint32_t>(thread << order::kTypeBits | pairs.size());
    pairs.push_back(pair);
  }
  numbers_.Add(pair, number);
  return number;
}

bool Atomicity::MayMatter(const Pair& pair, order::Model& order) {
  const order::AccessType& first = order.types()[pair.first];
  const order::AccessType& second = order.types()[pair.second];
  return first.spot.key() != second.spot.key();
}

// Sections of their own, and no stale value is written.
bool Atomicity::MeantApart(const Pair& pair, order::Model& order) {
  const order::AccessType& first = order.types()[pair.first];
  const order::AccessType& second = order.types()[pair.second];
  return pair.over == LocksetId::kEmpty &&
         order.locks().Exclude(first.locks, second.locks) &&
         !(first.kind == AccessKind::kRead && Writes(second.kind));
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
void Atomicity::Compare(const State& state, size_t pair, size_t entry,
                        const Now& now) {
  const order::AccessTypes& types = now.order.types();
  const Pair& two = PairOf(state.pairs.type(pair));
  const auto other = static_cast<TypeId>(state.entries.type(entry));
  const bool second_is_later = types[two.second].spot.tid == now.tid;
  const Tid early_tid = types[second_is_later ? other : two.second].spot.tid;
  const order::Stamps& early =
      second_is_later ? state.entries[entry].stamps : state.pairs[pair].stamps;
  const bool atomic = types[two.first].atomic && types[two.second].atomic &&
                      types[other].atomic;
  const bool ordered =
      atomic ? now.order.loose().ClockOf(now.tid).Of(early_tid) >= early.loose
             : now.order.weak().ClockOf(now.tid).Of(early_tid) >= early.weak;
  if (!ordered) Report(state, pair, entry, now);
}

void Atomicity::Report(const State& state, size_t pair, size_t entry,
                       const Now& now) {
  order::Model& order = now.order;
  const order::AccessTypes& types = order.types();
  const Pair& two = PairOf(state.pairs.type(pair));
  const auto other = static_cast<TypeId>(state.entries.type(entry));
  const History::Entry& was = state.pairs[pair];
  const Spot first = types.SpotAt(two.first, was.stamps.seq - was.extra);
  const Spot between = types.SpotAt(other, state.entries[entry].stamps.seq);
  const Spot second = types.SpotAt(two.second, was.stamps.seq);
  if (order.IsBenign(state.address) ||
      !reported_.AddOrdered(first.key(), between.key(), second.key())) {
    return;
  }
  Prediction prediction = NewPrediction(name(), "atomicity violation");
  prediction.seen = first.seq < between.seq && between.seq < second.seq;
  prediction.likely = !MeantApart(two, order);
  const std::string object = AddObject(prediction, "x", state.address);
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

std::unique_ptr<Analysis> MakeAtomicity() {
  return std::make_unique<Atomicity>();
}

}  // namespace fairlead::analysis
