// How far the target has come: steps that are done, and what undoes them.

#include "sched/director_strategy.h"

namespace fairlead::sched {

using abi::TargetAdjacency;
using abi::TargetEdgeRecord;

// Another step is done, unless that depends on a write to come.
void DirectorStrategy::Succeed() noexcept {
  if (written_ != kNoStep) return;
  abi::TargetProgress& progress = target_->progress;
  if (__builtin_popcountll(progress.done) >
      __builtin_popcountll(progress.best)) {
    progress.best = progress.done;
  }
  if (!Done(required_)) return;
  progress.success = 1;
  // What comes of it is another question than how to get there.
  preference_.Clear();
}

void DirectorStrategy::Do(size_t s, const Candidate& candidate) noexcept {
  abi::TargetProgress& progress = target_->progress;
  match_.Bind(s, candidate);
  if (insight_ != nullptr) {
    instructions_[s] = insight_->InstructionsOf(candidate.tid);
  }
  if (step(s).value != abi::TargetValue::kAny &&
      (candidate.next == Op::kWrite || candidate.next == Op::kAtomicStore)) {
    written_ = s;
    write_ = candidate;
  }
  progress.done |= Bit(s);
  if (apart_ < target_->num_edges && target_->edges[apart_].before == s) {
    own_touches_.Clear();
  }
  // What was to lead here is of no use any longer.
  for (size_t earlier = 0; earlier < s; ++earlier) {
    if (step(earlier).optional != 0 && step(earlier).thread == step(s).thread) {
      progress.done |= Bit(earlier);
    }
  }
  waited_ = 0;
  Succeed();
}

// The write that was let go on has been done by now.
void DirectorStrategy::CheckWrite() noexcept {
  if (written_ == kNoStep) return;
  const size_t s = written_;
  written_ = kNoStep;
  if (match_.ValueFits(s, write_)) {
    Succeed();
    return;
  }
  target_->progress.other_value |= Bit(s);
  // What was done before it still holds: its thread may write again.
  const Steps done = target_->progress.done & ~Bit(s);
  if (done != 0) {
    target_->progress.done = done;
  } else {
    StartOver();
  }
}

void DirectorStrategy::CheckDistances() noexcept {
  if (!has_distances_ || insight_ == nullptr) return;
  for (size_t i = 0; i < target_->num_edges; ++i) {
    const TargetEdgeRecord& edge = target_->edges[i];
    if (edge.adjacency != TargetAdjacency::kWithin) continue;
    if (!Done(Bit(edge.before)) || Done(Bit(edge.after))) continue;
    const Tid tid = match_.thread_of(step(edge.before).thread);
    if (tid == Tid::kNone) continue;
    if (insight_->InstructionsOf(tid) - instructions_[edge.before] <=
        edge.within) {
      continue;
    }
    ++target_->progress.too_far;
    StartOver();
    return;
  }
}

// A step that counts as soon as its thread stands before it.
void DirectorStrategy::Arrived(const Candidate& candidate) noexcept {
  const Steps at = StepsAt(candidate);
  target_->progress.in_sight |= at;
  for (size_t s = 0; s < target_->num_steps; ++s) {
    if ((at & Bit(s)) == 0 || step(s).arrives == 0) continue;
    if (Done(predecessors_[s]) && match_.ReadFits(s, candidate)) {
      Do(s, candidate);
    } else {
      stands_at_[s] = candidate.tid;
    }
  }
}

// Those that came too early, and still stand there, perhaps since they have to
// wait.
void DirectorStrategy::ArrivedBefore() noexcept {
  for (Steps before = 0; before != target_->progress.done && !Idle();) {
    before = target_->progress.done;
    for (size_t s = 0; s < target_->num_steps; ++s) {
      if (stands_at_[s] == Tid::kNone || Done(Bit(s)) ||
          !Done(predecessors_[s])) {
        continue;
      }
      Arrived(insight_->IntentOf(stands_at_[s]));
    }
  }
}

void DirectorStrategy::CatchUp(const Point& point) noexcept {
  CheckWrite();
  CheckDistances();
  const bool asks = insight_ != nullptr && point.running != Tid::kNone;
  if (asks && match_.LeftUnit(point.running, target_->progress.done))
    StartOver();
  if (!has_arrivals_) return;
  // One that has to wait now is not among the candidates.
  if (asks && Find(point, point.running) == kNotEnabled) {
    const Candidate waits = insight_->IntentOf(point.running);
    if (waits.next != Op::kEnd) Arrived(waits);
  }
  for (const Candidate& candidate : point.enabled) Arrived(candidate);
  if (insight_ != nullptr) ArrivedBefore();
}

// Which of several dynamic instances a first step is to be decides about the
// object, and so about whether the others ever come. Every other of the later
// attempts does not always take the first.
bool DirectorStrategy::PassesBy(size_t s) noexcept {
  // A block is freed once, and attempts differ by the pass that waits for it.
  if (attempt_ < 2 || attempt_ % 2 != 0 || in_blocks_) return false;
  const bool may = target_->progress.done == 0 && step(s).occurrence == 0 &&
                   step(s).object != abi::kNoRole && followers_[s] != 0;
  return may && rng_.Below(2) == 0;
}

bool DirectorStrategy::HasAlternative(size_t s, Tid tid) const noexcept {
  if (point_ == nullptr) return false;
  for (const Candidate& other : point_->enabled) {
    if (other.tid == tid) continue;
    for (size_t i = 0; i < target_->num_steps; ++i) {
      if (i != s && (followers_[s] & Bit(i)) == 0) continue;
      if (step(i).anchor != SiteId::kNone && step(i).anchor == other.site) {
        return true;
      }
    }
  }
  return false;
}

bool DirectorStrategy::IsOneMore(const Candidate& candidate) noexcept {
  Did& did = did_[Index(candidate.tid) % kMostDid];
  const uint64_t mixed = abi::NextWay(static_cast<uint64_t>(candidate.object) ^
                                          static_cast<uint64_t>(candidate.next),
                                      candidate.site);
  const Did now = {candidate.tid, static_cast<uint32_t>(mixed >> 32)};
  const bool access = candidate.bytes != 0;
  const bool one_more = !access && did.tid == now.tid && did.what == now.what;
  did = now;
  return one_more;
}

void DirectorStrategy::Note(const Candidate& candidate, Standing standing,
                            size_t of) noexcept {
  for (Tid& tid : stands_at_) {
    if (tid == candidate.tid) tid = Tid::kNone;
  }
  const bool one_more = IsOneMore(candidate);
  bool at_hold = false;
  for (size_t s = 0; s < target_->num_steps; ++s) {
    const SiteId waits_at =
        step(s).hold_at != SiteId::kNone ? step(s).hold_at : step(s).anchor;
    at_hold |= WaitsInABlock(s) && waits_at != SiteId::kNone &&
               waits_at == candidate.site;
    if (one_more || step(s).occurrence == 0 ||
        step(s).anchor != candidate.site) {
      continue;
    }
    ++passes_[candidate.tid].of_step[s];
  }
  if (at_hold) ++holds_passed_[candidate.tid];
  if (apart_ < target_->num_edges && of == kNoStep) {
    const size_t since = target_->edges[apart_].before;
    if (Done(Bit(since)) &&
        match_.thread_of(step(since).thread) == candidate.tid) {
      own_touches_.Add(candidate);
    }
  }
  switch (standing) {
    case Standing::kInPlace:
      if (!PassesBy(of)) Do(of, candidate);
      return;
    case Standing::kReady: {
      // Nobody who could follow is in sight, and nobody else can go on. Perhaps
      // those who wait want another object: later attempts try both.
      if (IsOfNoUse(of, candidate)) return;
      const bool asks = (attempt_ >= 2 && !in_blocks_) ||
                        (arbitrates_ && step(of).occurrence == 0 &&
                         HasAlternative(of, candidate.tid));
      const bool begun = target_->progress.done != 0;
      const bool passes = asks && rng_.Below(begun ? 5 : 2) == 0;
      if (!passes) Do(of, candidate);
      return;
    }
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

}  // namespace fairlead::sched
