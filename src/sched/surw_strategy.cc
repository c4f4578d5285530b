#include "sched/surw_strategy.h"

#include "sched/record.h"

namespace fairlead::sched {

void SurwStrategy::Begin(const ExecutionPlan& plan) noexcept {
  rng_ = Rng(plan.seed);
  mask_ = plan.params[0];
  weights_ = plan.weights;
  intended_ = Tid::kNone;
  ahead_.Clear();
}

size_t SurwStrategy::Pick(const Point& point) noexcept {
  if (IsOption(point)) return rng_.Below(point.enabled.size());
  for (const Candidate& c : point.enabled) Meet(c.tid);
  if (Find(point, intended_) == kNotEnabled) Intend(point);

  // Everybody but those who would do an operation of interest out of turn.
  const auto may_go = [&](const Candidate& c) {
    return intended_ == Tid::kNone || c.tid == intended_ || !IsOfInterest(c);
  };
  size_t num_free = 0;
  for (const Candidate& c : point.enabled) num_free += may_go(c) ? 1 : 0;
  uint64_t left = rng_.Below(num_free);
  size_t picked = 0;
  while (!may_go(point.enabled[picked]) || left-- != 0) ++picked;

  const Candidate& chosen = point.enabled[picked];
  if (IsOfInterest(chosen)) {
    uint32_t& weight = ahead_[chosen.tid].weight;
    if (weight != 0) --weight;
    intended_ = Tid::kNone;
  }
  return picked;
}

// A thread comes into being: what it will do was its parent's to do. If the
// parent was intended, the child is so by its share.
void SurwStrategy::Meet(Tid tid) noexcept {
  Ahead& ahead = ahead_[tid];
  if (ahead.met) return;
  ahead.met = true;
  if (Index(tid) >= weights_.size()) return;
  const abi::WeightRecord& known = weights_[Index(tid)];
  ahead.weight = known.weight;
  if (Index(known.parent) >= Index(tid)) return;  // untrusted; main has none
  Ahead& parent = ahead_[known.parent];
  if (intended_ == known.parent && parent.weight != 0 &&
      rng_.Below(parent.weight) < known.weight) {
    intended_ = tid;
  }
  parent.weight =
      parent.weight > known.weight ? parent.weight - known.weight : 0;
}

// A thread that has more to do than was known weighs 1 as long as it does.
uint64_t SurwStrategy::Weight(const Candidate& c) noexcept {
  const uint32_t weight = ahead_[c.tid].weight;
  return weight == 0 && IsOfInterest(c) ? 1 : weight;
}

void SurwStrategy::Intend(const Point& point) noexcept {
  intended_ = Tid::kNone;
  if (weights_.empty()) return;
  uint64_t total = 0;
  for (const Candidate& c : point.enabled) total += Weight(c);
  if (total == 0) return;
  uint64_t left = rng_.Below(total);
  for (const Candidate& c : point.enabled) {
    if (left < Weight(c)) {
      intended_ = c.tid;
      return;
    }
    left -= Weight(c);
  }
}

}  // namespace fairlead::sched
