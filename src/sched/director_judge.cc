// How each thread stands to the target; what follows from it is in
// director_strategy.cc (who goes on) and director_progress.cc (what is done).

#include "sched/director_strategy.h"

namespace fairlead::sched {

using abi::kNoRole;
using abi::TargetAdjacency;
using abi::TargetEdgeRecord;

bool DirectorStrategy::OccurrenceFits(size_t s, Tid tid) noexcept {
  const uint32_t occurrence = step(s).occurrence;
  return occurrence == 0 || passes_[tid].of_step[s] + 1u == occurrence;
}

DirectorStrategy::Steps DirectorStrategy::StepsAt(
    const Candidate& candidate) noexcept {
  Steps at = 0;
  for (size_t s = 0; s < target_->num_steps; ++s) {
    if (Done(Bit(s)) || !Done(own_before_[s]) || !match_.Fits(s, candidate)) {
      continue;
    }
    if (!OccurrenceFits(s, candidate.tid)) continue;
    if (TouchedBefore(s, candidate)) continue;
    at |= Bit(s);
  }
  return at;
}

bool DirectorStrategy::TouchedBefore(
    size_t s, const Candidate& candidate) const noexcept {
  if (apart_ >= target_->num_edges) return false;
  const TargetEdgeRecord& edge = target_->edges[apart_];
  return edge.after == s && Done(Bit(edge.before)) &&
         own_touches_.Has(candidate);
}

bool DirectorStrategy::HoldsUp(size_t s) const noexcept {
  for (size_t before = 0; before < target_->num_steps; ++before) {
    if (!Done(Bit(before))) continue;
    for (size_t after = 0; after < target_->num_steps; ++after) {
      if ((followers_[before] & Bit(after)) != 0 && !Done(Bit(after)) &&
          (own_before_[after] & Bit(s)) != 0) {
        return true;
      }
    }
  }
  return false;
}

size_t DirectorStrategy::FirstUndone(size_t s) const noexcept {
  for (size_t earlier = 0; earlier < s; ++earlier) {
    if ((own_before_[s] & Bit(earlier)) != 0 && !Done(Bit(earlier))) {
      return earlier;
    }
  }
  return s;
}

// Where two threads are to act before either follows the other, it is enough
// that the other stands at what it has to do first.
bool DirectorStrategy::FollowersInSight(size_t s, const Candidate& candidate,
                                        const Point& point) noexcept {
  if (HoldsUp(s)) return true;
  for (size_t i = 0; i < target_->num_edges; ++i) {
    const TargetEdgeRecord& edge = target_->edges[i];
    if (edge.before != s || edge.adjacency == TargetAdjacency::kNone) continue;
    if (Done(Bit(edge.after)) || step(edge.after).thread == step(s).thread) {
      continue;
    }
    const size_t after = FirstUndone(edge.after);
    bool seen = false;
    for (const Candidate& other : point.enabled) {
      if (other.tid == candidate.tid || !match_.Fits(after, other) ||
          !OccurrenceFits(after, other.tid)) {
        continue;
      }
      const bool one_object =
          step(after).object == step(s).object && step(s).object != kNoRole;
      if (one_object && !TargetMatch::SameObject(other, candidate)) continue;
      if (!match_.RelationFits(s, candidate, after, other)) continue;
      seen = true;
    }
    if (!seen) return false;
  }
  return true;
}

bool DirectorStrategy::Disturbs(const Candidate& candidate,
                                size_t as) const noexcept {
  for (size_t i = 0; i < target_->num_edges; ++i) {
    const TargetEdgeRecord& edge = target_->edges[i];
    if (edge.adjacency != TargetAdjacency::kNobody &&
        edge.adjacency != TargetAdjacency::kNotOwnThread) {
      continue;
    }
    if (!Done(Bit(edge.before)) || Done(Bit(edge.after))) continue;
    if (edge.after == as) continue;
    if (!match_.Touches(candidate, edge.before)) continue;
    if (edge.adjacency == TargetAdjacency::kNobody ||
        candidate.tid == match_.thread_of(step(edge.before).thread)) {
      return true;
    }
  }
  return false;
}

// Whether a thread of `point` stands at what must come before `s`, but on
// another object than `candidate` is about to touch: then this is not the
// instance that is to follow it.
bool DirectorStrategy::ElsewhereThan(size_t s, const Candidate& candidate,
                                     const Point& point) noexcept {
  for (size_t before = 0; before < target_->num_steps; ++before) {
    if ((predecessors_[s] & Bit(before)) == 0 || Done(Bit(before))) continue;
    if (FreesPass() && WaitsInABlock(s)) continue;
    for (const Candidate& other : point.enabled) {
      if (other.tid == candidate.tid || !match_.Fits(before, other)) continue;
      const bool one_object =
          step(before).object == step(s).object && step(s).object != kNoRole;
      const bool accesses = other.bytes != 0 && candidate.bytes != 0;
      if (one_object && accesses
              ? !TargetMatch::SameObject(other, candidate)
              : !match_.RelationFits(before, other, s, candidate)) {
        return true;
      }
    }
  }
  return false;
}

// Memory is freed at one place for many blocks. What is freed before there is
// another thread is not meant; attempts 4 and 5 count a free only if somebody
// is held who would use what it frees, the others also if somebody may still
// come. Where one stands at the use of another block, the first two attempts
// let the free pass, later ones the use (ElsewhereThan).
bool DirectorStrategy::IsOfNoUse(size_t s, const Candidate& did) noexcept {
  if (!in_blocks_ || followers_[s] == 0) return false;
  if (alone_) return true;
  if (FreesPass() && AnotherIsHeld(s, did)) return true;
  return (attempt_ == 4 || attempt_ == 5) && !WaitedFor(s, did);
}

bool DirectorStrategy::AnotherIsHeld(size_t s, const Candidate& did) noexcept {
  bool another = false;
  for (size_t i = 0; i < num_waiting_; ++i) {
    const Candidate& other = waiting_[i];
    if (other.tid == did.tid) continue;
    for (size_t after = 0; after < target_->num_steps; ++after) {
      if ((followers_[s] & Bit(after)) == 0 || !WaitsInABlock(after)) continue;
      const bool at_step = match_.Fits(after, other);
      if (at_step && !match_.RelationFits(s, did, after, other)) another = true;
    }
  }
  return another && !WaitedFor(s, did);
}

bool DirectorStrategy::WaitedFor(size_t s, const Candidate& did) noexcept {
  for (size_t i = 0; i < num_waiting_; ++i) {
    const Candidate& other = waiting_[i];
    for (size_t after = 0; after < target_->num_steps; ++after) {
      if ((followers_[s] & Bit(after)) == 0 || other.tid == did.tid) continue;
      if (step(after).hold_at != SiteId::kNone &&
          step(after).hold_at == other.site) {
        return true;
      }
      if (match_.Fits(after, other) &&
          match_.RelationFits(s, did, after, other))
        return true;
    }
  }
  return followers_[s] == 0;
}

// Which of the passes over the place where a thread waits leads to the block
// that another one is about to free is not known: attempts 2 and 3 wait at the
// second, 4 and 5 at the third, and so on.
bool DirectorStrategy::LetsPass(size_t s, Tid tid) noexcept {
  return WaitsInABlock(s) && holds_passed_[tid] < attempt_ / 2;
}
bool DirectorStrategy::WaitsInABlock(size_t s) const noexcept {
  const uint8_t object = step(s).object;
  return object < abi::kMaxTargetObjects &&
         target_->objects[object].relation == abi::TargetRelation::kInsideFreed;
}

// At the place where its thread should wait for its turn. What the others need
// to come to theirs may lie between that place and the step: attempts 2 and 4
// wait at the step itself.
bool DirectorStrategy::Held(const Candidate& candidate) noexcept {
  const bool at_step = attempt_ >= 2 && attempt_ % 2 == 0;
  for (size_t s = 0; s < target_->num_steps; ++s) {
    if (at_step && !WaitsInABlock(s)) continue;
    if (step(s).hold_at == SiteId::kNone || step(s).hold_at != candidate.site) {
      continue;
    }
    if (Done(Bit(s)) || !Done(own_before_[s]) || Done(predecessors_[s])) {
      continue;
    }
    if (LetsPass(s, candidate.tid)) continue;
    if (match_.ThreadFits(s, candidate.tid)) return true;
  }
  return false;
}

// Whether going on passes a step that only this thread could have done.
bool DirectorStrategy::BreaksOrder(const Candidate& candidate) noexcept {
  const Steps at = StepsAt(candidate);
  for (size_t s = 0; s < target_->num_steps; ++s) {
    if ((at & Bit(s)) != 0 && step(s).optional == 0 &&
        match_.thread_of(step(s).thread) == candidate.tid) {
      return true;
    }
  }
  return false;
}

bool DirectorStrategy::Spent(Tid tid) const noexcept {
  for (size_t s = 0; s < target_->num_steps; ++s) {
    if (Done(Bit(s)) && !Done(followers_[s]) &&
        match_.thread_of(step(s).thread) == tid) {
      return true;
    }
  }
  return false;
}

DirectorStrategy::Standing DirectorStrategy::Judge(const Point* point,
                                                   const Candidate& candidate,
                                                   size_t* of) noexcept {
  *of = kNoStep;
  const Steps at = StepsAt(candidate);
  target_->progress.in_sight |= at;
  bool waits = false;
  for (size_t s = 0; s < target_->num_steps; ++s) {
    if ((at & Bit(s)) == 0) continue;
    if (!Done(predecessors_[s])) {
      if (point != nullptr &&
          (ElsewhereThan(s, candidate, *point) || LetsPass(s, candidate.tid))) {
        continue;
      }
      waits = true;
      // Soft ones are given up before hard ones are broken.
      if (*of == kNoStep && Done(hard_predecessors_[s])) *of = s;
      continue;
    }
    if (!match_.ReadFits(s, candidate)) {  // another thread may change that
      waits = true;
      continue;
    }
    if (Disturbs(candidate, s)) return Standing::kDisturbing;
    *of = s;
    const bool in_sight =
        point == nullptr || FollowersInSight(s, candidate, *point);
    return in_sight ? Standing::kInPlace : Standing::kReady;
  }
  if (waits || Held(candidate)) return Standing::kWaiting;
  if (Disturbs(candidate, kNoStep)) return Standing::kDisturbing;
  return Spent(candidate.tid) ? Standing::kSpent : Standing::kFree;
}

}  // namespace fairlead::sched
