// The end of a profiled execution: local pairs meet what could depend on them.

#include <algorithm>
#include <map>

#include "analysis/iroot/profiler.h"
#include "base/patience.h"

namespace fairlead::analysis::iroot {

std::span<const NodeId> Profiler::EndsOf(NodeId source) const {
  const auto found = histories_.edges().find(source);
  if (found == histories_.edges().end()) return {};
  return found->second;
}

std::span<const NodeId> Profiler::SourcesOf(NodeId end) const {
  const auto found = sources_.find(end);
  if (found == sources_.end()) return {};
  return found->second;
}

void Profiler::Predict(uint8_t idiom,
                       std::initializer_list<Instance> instances) {
  IRoot root = {.idiom = idiom};
  Candidate seen = {.after_outside = false, .unlocked = true, .atomic = true};
  size_t i = 0;
  bool many = false;  // a place touches several locations
  NodeId earlier = kNoNode;
  for (const auto [id, pass] : instances) {
    const Kind& kind = nodes_.KindOf(id);
    // A and C begin a dependency; of idiom 2, B ends one and C the other.
    const bool source = idiom == 2 ? i == 0 : i % 2 == 0;
    root.steps[i] = {kind.place,
                     source ? AsSource(kind.shape) : AsEnd(kind.shape)};
    seen.occurrences[i++] = pass != 0 ? pass : nodes_[id].occurrence;
    many |= nodes_.ToldApart(id);
    seen.atomic &= kind.atomic;
    seen.after_outside |= nodes_[id].after_outside;
    if (!source) {
      seen.severe |= nodes_[earlier].null && kind.shape == Shape::kRead;
      seen.unlocked &=
          !IsLock(kind.shape) &&
          !locks_.Exclude(nodes_.KindOf(earlier).locks, kind.locks);
    }
    earlier = id;
  }
  if (!many) seen.occurrences = {};
  const IRoot canonical = Canonical(root);
  if (canonical != root) seen = Respelled(seen);
  const auto [entry, fresh] = predicted_.try_emplace(canonical, seen);
  if (!fresh) entry->second.Add(seen);
}

Candidate Respelled(const Candidate& candidate) {
  Candidate other = candidate;
  std::ranges::rotate(other.occurrences, other.occurrences.begin() + 2);
  return other;
}

void Profiler::Join() {
  for (const auto& [source, ends] : histories_.edges()) {
    for (const NodeId end : ends) {
      Predict(1, {{source}, {end}});
      sources_[end].push_back(source);
    }
  }
  for (const LocalPair& pair : pairs_.all()) JoinPair(pair);
  JoinDeadlocks();
}

// `pair` is made by T1.
void Profiler::JoinPair(const LocalPair& pair) {
  for (const NodeId b : EndsOf(pair.first)) {
    if (OutOfJoins()) return;
    const Tid remote = nodes_.KindOf(b).tid;
    if (pair.same_location) {
      if (!pair.clean) continue;
      JoinSame(pair, b);
    }
    for (const NodeId c : SourcesOf(pair.second)) {
      if (OutOfJoins()) return;
      if (nodes_.KindOf(c).tid == remote) JoinAround(pair, b, c);
    }
    if (pair.same_location) continue;
    for (const NodeId d : EndsOf(pair.second)) {
      if (OutOfJoins()) return;
      if (nodes_.KindOf(d).tid == remote) JoinAlong(pair, b, d);
    }
  }
}

// Idiom 2; around an update, whose two halves are two steps, idiom 3.
void Profiler::JoinSame(const LocalPair& pair, NodeId b) {
  const auto back = EndsOf(b);
  if (std::ranges::find(back, pair.second) == back.end()) return;
  if (locks_.Exclude(pair.over, nodes_.KindOf(b).locks)) return;
  if (nodes_.KindOf(b).shape == Shape::kUpdate) {
    Predict(3, {{pair.first, pair.first_pass},
                {b},
                {b},
                {pair.second, pair.second_pass}});
  } else {
    Predict(
        2,
        {{pair.first, pair.first_pass}, {b}, {pair.second, pair.second_pass}});
  }
}

// Idioms 3 to 5: A => B and C => D, where A and D are the pair. Around B and C
// no lock may be held that one of them needs.
void Profiler::JoinAround(const LocalPair& pair, NodeId b, NodeId c) {
  if (pair.clean && !locks_.Exclude(pair.over, nodes_.KindOf(b).locks) &&
      !locks_.Exclude(pair.over, nodes_.KindOf(c).locks)) {
    for (const LocalPair* remote : pairs_.Between(b, c)) {
      if (remote->same_location != pair.same_location) continue;
      Predict(pair.same_location ? 3 : 4, {{pair.first, pair.first_pass},
                                           {b, remote->first_pass},
                                           {c, remote->second_pass},
                                           {pair.second, pair.second_pass}});
      break;
    }
  }
  if (pair.same_location) return;
  for (const LocalPair* remote : pairs_.Between(c, b)) {
    if (remote->same_location) continue;
    if (locks_.Exclude(pair.over, remote->over)) continue;
    Predict(5, {{pair.first, pair.first_pass},
                {b, remote->second_pass},
                {c, remote->first_pass},
                {pair.second, pair.second_pass}});
    break;
  }
}

// Idiom 6: the pair is A and C.
void Profiler::JoinAlong(const LocalPair& pair, NodeId b, NodeId d) {
  for (const LocalPair* remote : pairs_.Between(b, d)) {
    if (remote->same_location) continue;
    Predict(6, {{pair.first, pair.first_pass},
                {b, remote->first_pass},
                {pair.second, pair.second_pass},
                {d, remote->second_pass}});
    break;
  }
}

void Profiler::JoinDeadlocks() {
  const std::vector<LockPair>& all = lock_pairs_.all();
  // By the locks that it holds and wants: only what wants and holds them may
  // wait for it.
  std::map<std::pair<uint64_t, uint64_t>, std::vector<size_t>> by_locks;
  for (size_t i = 0; i < all.size(); ++i) {
    const auto others = by_locks.find({all[i].wanted, all[i].held});
    if (others != by_locks.end()) {
      for (const size_t j : others->second) {
        if (OutOfJoins()) return;
        if (LockPairs::MayDeadlock(all[j], all[i], locks_)) {
          PredictDeadlock(all[j], all[i]);
        }
      }
    }
    by_locks[{all[i].held, all[i].wanted}].push_back(i);
  }
}

void Profiler::PredictDeadlock(const LockPair& one, const LockPair& other) {
  IRoot root = {.idiom = 5};
  root.steps = {Step{one.held_place, Operation::kLock},
                Step{other.wanted_place, Operation::kLock},
                Step{other.held_place, Operation::kLock},
                Step{one.wanted_place, Operation::kLock}};
  predicted_[Canonical(root)];
}

// What could be joined grows faster than what was seen; it is not waited for.
bool Profiler::OutOfJoins() {
  constexpr uint64_t kLookEvery = 4096;
  if (joins_ % kLookEvery == 0 && ShouldStop()) joins_ = options_.max_joins;
  return ++joins_ > options_.max_joins;
}

}  // namespace fairlead::analysis::iroot
