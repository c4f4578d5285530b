#include "sched/director_strategy.h"

#include "sched/record.h"

namespace fairlead::sched {
namespace {

using abi::kMaxTargetSteps;
using abi::TargetAdjacency;
using abi::TargetEdgeRecord;

}  // namespace

void DirectorStrategy::Begin(const ExecutionPlan& plan) noexcept {
  rng_ = Rng(plan.seed);
  attempt_ = plan.params[0] & (kArbitrates - 1);
  arbitrates_ = (plan.params[0] & kArbitrates) != 0;
  only_holds_ = (plan.params[0] & kOnlyHolds) != 0;
  point_ = nullptr;
  target_ = plan.target;
  insight_ = plan.insight;
  waited_ = 0;
  num_waiting_ = 0;
  alone_ = true;
  spins_on_ = false;
  num_spins_ = 0;
  turns_.Clear();
  last_ = Tid::kNone;
  in_a_row_ = 0;
  passes_.Clear();
  for (Did& did : did_) did = {Tid::kNone, 0};
  holds_passed_.Clear();
  for (Tid& tid : stands_at_) tid = Tid::kNone;
  preference_.Clear();
  PrepareBase(plan);
  if (target_ == nullptr) return;
  target_->progress = {};
  if (target_->num_steps == 0 || target_->num_steps > kMaxTargetSteps ||
      target_->num_edges > abi::kMaxTargetEdges) {
    target_ = nullptr;  // not ours: written by another version, or damaged
    return;
  }
  match_.Begin(*target_, insight_);
  Prepare();
  StartOver();
  target_->progress.restarts = 0;
}

void DirectorStrategy::PrepareBase(const ExecutionPlan& plan) noexcept {
  base_ = nullptr;
  const auto id = static_cast<StrategyId>(plan.params[1]);
  if (plan.params[1] == 0 || !CanBeBase(id)) return;
  base_ = MakeStrategy(id, room_);
  if (base_ == nullptr) return;
  ExecutionPlan own = plan;
  for (size_t i = 0; i < kMaxParams; ++i) {
    own.params[i] = i + 2 < kMaxParams ? plan.params[i + 2] : 0;
  }
  base_->Begin(own);
}

// Steps of one thread are in order; so is what edges join through others.
void DirectorStrategy::Prepare() noexcept {
  const size_t num_steps = target_->num_steps;
  required_ = 0;
  has_distances_ = has_arrivals_ = in_blocks_ = false;
  apart_ = abi::kMaxTargetEdges;
  for (size_t s = 0; s < num_steps; ++s) {
    if (step(s).optional == 0) required_ |= Bit(s);
    in_blocks_ |= WaitsInABlock(s);
    has_arrivals_ |= step(s).arrives != 0;
    own_before_[s] = followers_[s] = 0;
    for (size_t earlier = 0; earlier < s; ++earlier) {
      // Where the thread and the pass are named, there is one such event, and
      // what its thread does before it need not be waited for.
      if (step(earlier).thread == step(s).thread &&
          step(earlier).optional == 0 && step(s).path == 0) {
        own_before_[s] |= Bit(earlier);
      }
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
    has_distances_ |= edge.adjacency == TargetAdjacency::kWithin;
    if (edge.adjacency == TargetAdjacency::kNotOwnThread &&
        step(edge.before).object != step(edge.after).object) {
      apart_ = i;
    }
  }
}

void DirectorStrategy::StartOver() noexcept {
  match_.Unbind();
  abi::TargetProgress& progress = target_->progress;
  progress.done = 0;
  if (++progress.restarts > kMaxRestarts) {
    progress.given_up = abi::TargetGivenUp::kThrashing;
  }
  waited_ = 0;
  written_ = kNoStep;
}

uint64_t DirectorStrategy::Preference(Tid tid) noexcept {
  // By turns where each pass is tried both ways.
  const uint64_t attempt = in_blocks_ ? attempt_ % 2 : attempt_;
  if (attempt == 0) return ~uint64_t{0} - Index(tid);
  if (attempt == 1) return Index(tid) + 1;
  uint64_t& drawn = preference_[tid];
  if (drawn == 0) drawn = rng_.Next() | 1;
  return drawn;
}

size_t DirectorStrategy::AskBase(const Point& point,
                                 const Standing* only) noexcept {
  size_t best = 0;
  size_t num_shown = 0;
  uint64_t highest = 0;
  uint32_t fewest = ~uint32_t{0};
  // Those in place were led there by preference: another draw decides who of
  // them is first, or one order of what came before would always go with one
  // order of the steps.
  const bool draws =
      attempt_ >= 2 && only != nullptr && *only == Standing::kInPlace;
  for (size_t i = 0; i < point.enabled.size(); ++i) {
    if (only != nullptr && GroupOf(standing_[i]) != *only) continue;
    if (base_ != nullptr) {
      shown_[num_shown] = point.enabled[i];
      shown_index_[num_shown++] = static_cast<uint16_t>(i);
      continue;
    }
    const uint64_t preference =
        draws ? rng_.Next() | 1 : Preference(point.enabled[i].tid);
    ++num_shown;
    const uint32_t turns = turns_[point.enabled[i].tid];
    if (turns > fewest || (turns == fewest && preference <= highest)) continue;
    fewest = turns;
    highest = preference;
    best = i;
  }
  if (base_ == nullptr) {
    TakeTurn(point.enabled[best].tid, num_shown);
    return best;
  }
  if (num_shown < 2) return shown_index_[0];
  Point shown = point;
  shown.enabled = {shown_, num_shown};
  return shown_index_[base_->Pick(shown)];
}

void DirectorStrategy::TakeTurn(Tid tid, size_t num_shown) noexcept {
  if (num_shown < 2) return;
  in_a_row_ = tid == last_ ? in_a_row_ + 1 : 0;
  last_ = tid;
  if (in_a_row_ < kTurn) return;
  in_a_row_ = 0;
  ++turns_[tid];
}

size_t DirectorStrategy::PickOption(const Point& point) noexcept {
  const size_t size = point.enabled.size();
  if (point.enabled[0].next == Op::kYield) return spins_on_ ? 1 : 0;
  if (Idle()) return base_ != nullptr ? base_->Pick(point) : rng_.Below(size);
  if (point.enabled[0].next == Op::kSleep) return 1;
  return attempt_ < 2 ? 0 : static_cast<size_t>(rng_.Below(size));
}

size_t DirectorStrategy::Pick(const Point& point) noexcept {
  const size_t size = point.enabled.size();
  if (size > 1 && IsOption(point)) return PickOption(point);
  if (point.enabled[size - 1].tid != Tid{0}) alone_ = false;
  if (!Idle()) CatchUp(point);
  if (Idle()) return AskBase(point, nullptr);
  bool present[kNumStandings] = {};
  for (size_t i = 0; i < size; ++i) {
    size_t of = kNoStep;
    standing_[i] = Judge(&point, point.enabled[i], &of);
    step_of_[i] = static_cast<uint8_t>(of);
    present[static_cast<size_t>(GroupOf(standing_[i]))] = true;
  }
  KeepWaiting(point);
  const Standing standing = Preferred(present);
  const size_t picked = AskBase(point, &standing);
  point_ = &point;
  Note(point.enabled[picked], standing_[picked], step_of_[picked]);
  point_ = nullptr;
  return picked;
}

void DirectorStrategy::KeepWaiting(const Point& point) noexcept {
  num_waiting_ = 0;
  if (!in_blocks_) return;
  for (size_t i = 0; i < point.enabled.size(); ++i) {
    if (standing_[i] != Standing::kWaiting) continue;
    if (num_waiting_ == kMaxWaiting) return;
    waiting_[num_waiting_++] = point.enabled[i];
  }
}

void DirectorStrategy::Saw(const Candidate& did) noexcept {
  if (Idle()) return;
  CheckWrite();
  CheckDistances();
  size_t of = kNoStep;
  const Standing standing = Judge(nullptr, did, &of);
  if (standing == Standing::kInPlace && IsOfNoUse(of, did)) return;
  Note(did, standing, of);
}

bool DirectorStrategy::AwaitsOutside(const Point& point) noexcept {
  if (Idle() || target_->inside_only != 0) return false;
  if (target_->progress.waits >= kMaxWaits) return false;
  if (point.enabled.size() > 1 && IsOption(point)) return false;
  if (!HoldsAll(point)) return false;
  ++target_->progress.waits;
  return true;
}

bool DirectorStrategy::HoldsAll(const Point& point) noexcept {
  for (const Candidate& candidate : point.enabled) {
    size_t of = kNoStep;
    if (Judge(&point, candidate, &of) < Standing::kReady) return false;
  }
  return !point.enabled.empty();
}

void DirectorStrategy::OthersThanSpinning(const Point& others) noexcept {
  spins_on_ = false;
  // What it spins for may be what is held, in code that has no points.
  if (Idle() || ++num_spins_ > kMostSpins) return;
  spins_on_ = HoldsAll(others);
  if (spins_on_ || !in_blocks_ || base_ != nullptr) return;
  // Which pass is waited at counts on who goes first: a loop that reads the
  // same again and again is no reason to let others go ahead.
  const uint64_t own = Preference(others.running);
  for (const Candidate& other : others.enabled) {
    if (Preference(other.tid) >= own) return;
  }
  spins_on_ = true;
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
