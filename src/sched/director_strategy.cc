#include "sched/director_strategy.h"

#include "sched/record.h"

namespace fairlead::sched {
namespace {

using abi::kMaxTargetSteps;
using abi::kNoRole;
using abi::TargetAdjacency;
using abi::TargetEdgeRecord;
using abi::TargetOperation;
using abi::TargetStepRecord;

bool Is(TargetOperation operation, Op op) {
  switch (operation) {
    case TargetOperation::kAny:
    case TargetOperation::kCall:
      return true;
    case TargetOperation::kRead:
      return op == Op::kRead || op == Op::kAtomicLoad || op == Op::kCas;
    case TargetOperation::kWrite:
      return op == Op::kWrite || op == Op::kAtomicStore;
    case TargetOperation::kRmw:
      return op == Op::kRmw || op == Op::kCas;
    case TargetOperation::kLock:
      return op == Op::kLock || op == Op::kTryLock || op == Op::kFileLock ||
             op == Op::kWaitDone;
    case TargetOperation::kUnlock:
      return op == Op::kUnlock || op == Op::kFileUnlock || op == Op::kWait;
    case TargetOperation::kFree:
      return op == Op::kFree;
    case TargetOperation::kClose:
      return op == Op::kClose;
    case TargetOperation::kDestroy:
      return op == Op::kDestroy;
    case TargetOperation::kWait:
      return op == Op::kWait || op == Op::kSemWait || op == Op::kFutexWait ||
             op == Op::kBarrierWait;
    case TargetOperation::kSignal:
      return op == Op::kSignal || op == Op::kBroadcast || op == Op::kSemPost ||
             op == Op::kFutexWake;
    case TargetOperation::kCreate:
      return op == Op::kFork;
    case TargetOperation::kJoin:
      return op == Op::kJoin;
    case TargetOperation::kCancel:
      return op == Op::kCancel;
  }
  return false;
}

}  // namespace

void DirectorStrategy::Begin(const ExecutionPlan& plan) noexcept {
  rng_ = Rng(plan.seed);
  attempt_ = plan.params[0];
  target_ = plan.target;
  waited_ = 0;
  passes_.Clear();
  preference_.Clear();
  if (target_ == nullptr) return;
  target_->progress = {};
  if (target_->num_steps == 0 || target_->num_steps > kMaxTargetSteps ||
      target_->num_edges > abi::kMaxTargetEdges) {
    target_ = nullptr;  // not ours: written by another version, or damaged
    return;
  }
  Prepare();
  StartOver();
  target_->progress.restarts = 0;
}

// Steps of one thread are in order; so is what edges join through others.
void DirectorStrategy::Prepare() noexcept {
  const size_t num_steps = target_->num_steps;
  for (size_t s = 0; s < num_steps; ++s) {
    predecessors_[s] = hard_predecessors_[s] = 0;
    own_before_[s] = followers_[s] = 0;
    for (size_t earlier = 0; earlier < s; ++earlier) {
      if (step(earlier).thread == step(s).thread)
        own_before_[s] |= Bit(earlier);
    }
    predecessors_[s] = hard_predecessors_[s] = own_before_[s];
  }
  for (size_t i = 0; i < target_->num_edges; ++i) {
    const TargetEdgeRecord& edge = target_->edges[i];
    if (edge.before >= num_steps || edge.after >= num_steps) continue;
    predecessors_[edge.after] |= Bit(edge.before);
    if (edge.soft == 0) hard_predecessors_[edge.after] |= Bit(edge.before);
    if (step(edge.before).thread != step(edge.after).thread) {
      followers_[edge.before] |= Bit(edge.after);
    }
  }
}

void DirectorStrategy::StartOver() noexcept {
  for (size_t role = 0; role < kMaxTargetSteps; ++role) {
    thread_of_[role] = Tid::kNone;
    object_of_[role] = ObjId::kNone;
  }
  target_->progress.done = 0;
  ++target_->progress.restarts;
  waited_ = 0;
}

bool DirectorStrategy::ThreadFits(size_t s, Tid tid) const noexcept {
  const uint8_t role = step(s).thread;
  if (role >= kMaxTargetSteps) return false;
  if (thread_of_[role] != Tid::kNone) return thread_of_[role] == tid;
  // Different roles are different threads.
  for (const Tid bound : thread_of_) {
    if (bound == tid) return false;
  }
  return true;
}

bool DirectorStrategy::Fits(size_t s,
                            const Candidate& candidate) const noexcept {
  const TargetStepRecord& wanted = step(s);
  if (wanted.anchor != SiteId::kNone && wanted.anchor != candidate.site) {
    return false;
  }
  if (!Is(wanted.operation, candidate.next)) return false;
  if (!ThreadFits(s, candidate.tid)) return false;
  if (wanted.object >= kMaxTargetSteps) return true;
  const ObjId bound = object_of_[wanted.object];
  return bound == ObjId::kNone || bound == candidate.object;
}

DirectorStrategy::Steps DirectorStrategy::StepsAt(
    const Candidate& candidate) noexcept {
  Steps at = 0;
  for (size_t s = 0; s < target_->num_steps; ++s) {
    if (Done(Bit(s)) || !Done(own_before_[s]) || !Fits(s, candidate)) continue;
    const uint32_t occurrence = step(s).occurrence;
    if (occurrence != 0 &&
        passes_[candidate.tid].of_step[s] + 1u != occurrence) {
      continue;
    }
    at |= Bit(s);
  }
  return at;
}

bool DirectorStrategy::FollowersInSight(size_t s, const Candidate& candidate,
                                        const Point& point) const noexcept {
  for (size_t i = 0; i < target_->num_edges; ++i) {
    const TargetEdgeRecord& edge = target_->edges[i];
    if (edge.before != s || edge.adjacency == TargetAdjacency::kNone) continue;
    const size_t after = edge.after;
    if (Done(Bit(after)) || step(after).thread == step(s).thread) continue;
    bool seen = false;
    for (const Candidate& other : point.enabled) {
      if (other.tid == candidate.tid || !Fits(after, other)) continue;
      const bool one_object =
          step(after).object == step(s).object && step(s).object != kNoRole;
      if (one_object && other.object != candidate.object) continue;
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
    if (edge.adjacency == TargetAdjacency::kNone) continue;
    if (!Done(Bit(edge.before)) || Done(Bit(edge.after))) continue;
    if (edge.after == as) continue;
    const TargetStepRecord& before = step(edge.before);
    if (before.object >= kMaxTargetSteps ||
        object_of_[before.object] != candidate.object ||
        candidate.object == ObjId::kNone) {
      continue;
    }
    if (edge.adjacency == TargetAdjacency::kNobody ||
        candidate.tid == thread_of_[before.thread]) {
      return true;
    }
  }
  return false;
}

// At the place where its thread should wait for its turn.
bool DirectorStrategy::Held(const Candidate& candidate) const noexcept {
  for (size_t s = 0; s < target_->num_steps; ++s) {
    if (step(s).hold_at == SiteId::kNone || step(s).hold_at != candidate.site) {
      continue;
    }
    if (Done(Bit(s)) || !Done(own_before_[s]) || Done(predecessors_[s])) {
      continue;
    }
    if (ThreadFits(s, candidate.tid)) return true;
  }
  return false;
}

// Whether going on passes a step that only this thread could have done.
bool DirectorStrategy::BreaksOrder(const Candidate& candidate) noexcept {
  const Steps at = StepsAt(candidate);
  for (size_t s = 0; s < target_->num_steps; ++s) {
    if ((at & Bit(s)) != 0 && thread_of_[step(s).thread] == candidate.tid) {
      return true;
    }
  }
  return false;
}

bool DirectorStrategy::Spent(Tid tid) const noexcept {
  for (size_t s = 0; s < target_->num_steps; ++s) {
    if (Done(Bit(s)) && !Done(followers_[s]) &&
        thread_of_[step(s).thread] == tid) {
      return true;
    }
  }
  return false;
}

DirectorStrategy::Standing DirectorStrategy::Judge(const Point& point,
                                                   const Candidate& candidate,
                                                   size_t* of) noexcept {
  *of = kNoStep;
  const Steps at = StepsAt(candidate);
  target_->progress.in_sight |= at;
  bool waits = false;
  for (size_t s = 0; s < target_->num_steps; ++s) {
    if ((at & Bit(s)) == 0) continue;
    if (!Done(predecessors_[s])) {
      waits = true;
      // Soft ones are given up before hard ones are broken.
      if (*of == kNoStep && Done(hard_predecessors_[s])) *of = s;
      continue;
    }
    if (Disturbs(candidate, s)) return Standing::kDisturbing;
    *of = s;
    return FollowersInSight(s, candidate, point) ? Standing::kInPlace
                                                 : Standing::kReady;
  }
  if (waits || Held(candidate)) return Standing::kWaiting;
  if (Disturbs(candidate, kNoStep)) return Standing::kDisturbing;
  return Spent(candidate.tid) ? Standing::kSpent : Standing::kFree;
}

uint64_t DirectorStrategy::Preference(Tid tid) noexcept {
  if (attempt_ == 0) return ~uint64_t{0} - Index(tid);
  if (attempt_ == 1) return Index(tid) + 1;
  uint64_t& drawn = preference_[tid];
  if (drawn == 0) drawn = rng_.Next() | 1;
  return drawn;
}

size_t DirectorStrategy::AskBase(const Point& point,
                                 const Standing* only) noexcept {
  size_t best = 0;
  uint64_t highest = 0;
  for (size_t i = 0; i < point.enabled.size(); ++i) {
    if (only != nullptr && standing_[i] != *only) continue;
    const uint64_t preference = Preference(point.enabled[i].tid);
    if (preference <= highest) continue;
    highest = preference;
    best = i;
  }
  return best;
}

void DirectorStrategy::Do(size_t s, const Candidate& candidate) noexcept {
  const TargetStepRecord& wanted = step(s);
  abi::TargetProgress& progress = target_->progress;
  thread_of_[wanted.thread] = candidate.tid;
  if (wanted.object < kMaxTargetSteps) {
    object_of_[wanted.object] = candidate.object;
  }
  progress.done |= Bit(s);
  if (__builtin_popcount(progress.done) > __builtin_popcount(progress.best)) {
    progress.best = progress.done;
  }
  waited_ = 0;
  if (progress.done == Bit(target_->num_steps) - 1) progress.success = 1;
}

void DirectorStrategy::Note(const Candidate& candidate, Standing standing,
                            size_t of) noexcept {
  for (size_t s = 0; s < target_->num_steps; ++s) {
    if (step(s).occurrence == 0 || step(s).anchor != candidate.site) continue;
    ++passes_[candidate.tid].of_step[s];
  }
  switch (standing) {
    case Standing::kInPlace:
      Do(of, candidate);
      return;
    case Standing::kReady:
      // Nobody who could follow is in sight, and nobody else can go on. Perhaps
      // those who wait want another object: later attempts try both.
      if (attempt_ < 2 || target_->progress.done != 0 || rng_.Below(2) != 0) {
        Do(of, candidate);
      }
      return;
    case Standing::kWaiting:
      if (of != kNoStep) {
        Do(of, candidate);
      } else if (BreaksOrder(candidate)) {
        StartOver();
      }
      return;
    case Standing::kDisturbing:
      StartOver();
      return;
    case Standing::kFree:
    case Standing::kSpent:
      return;
  }
}

size_t DirectorStrategy::Pick(const Point& point) noexcept {
  const size_t size = point.enabled.size();
  if (size > 1 && IsOption(point)) return rng_.Below(size);
  if (target_ == nullptr || target_->progress.success != 0) {
    return AskBase(point, nullptr);
  }
  bool present[kNumStandings] = {};
  for (size_t i = 0; i < size; ++i) {
    size_t of = kNoStep;
    standing_[i] = Judge(point, point.enabled[i], &of);
    step_of_[i] = static_cast<uint8_t>(of);
    present[static_cast<size_t>(standing_[i])] = true;
  }
  const Standing standing = Preferred(present);
  const size_t picked = AskBase(point, &standing);
  Note(point.enabled[picked], standing, step_of_[picked]);
  return picked;
}

// The kind to be asked, of those that are there.
DirectorStrategy::Standing DirectorStrategy::Preferred(
    const bool (&present)[kNumStandings]) noexcept {
  const auto is = [&](Standing standing) {
    return present[static_cast<size_t>(standing)];
  };
  if (is(Standing::kInPlace)) return Standing::kInPlace;
  const bool held = is(Standing::kReady) || is(Standing::kWaiting) ||
                    is(Standing::kDisturbing);
  const bool others = is(Standing::kFree) || is(Standing::kSpent);
  if (held && others && ++waited_ > kPatience) {
    waited_ = 0;
    if (is(Standing::kReady)) return Standing::kReady;
    if (is(Standing::kWaiting)) return Standing::kWaiting;
    return Standing::kDisturbing;
  }
  for (size_t i = 0; i < kNumStandings; ++i) {
    if (present[i]) return static_cast<Standing>(i);
  }
  return Standing::kFree;
}

}  // namespace fairlead::sched
