#include "explore/plan/auto_planner.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "explore/plan/steady_planner.h"
#include "explore/watch/profile.h"

namespace fairlead::explore {
namespace {

using sched::StrategyId;

// What each arm gets when none earns anything. `pos` and `surw` complement each
// other: where one of them needs a hundred executions, the other often needs
// ten; `random` is seldom the best (docs/design/search.md).
constexpr double kShare[AutoPlanner::kNumArms] = {
    .07,  // random
    .31,  // pos
    .33,  // surw
    .20,  // pct
    .09,  // go on
};
// The part of it that an arm keeps while others earn more. With few preemptions
// little is new, and most bugs need no more: `pct` keeps all.
constexpr double kFloor[AutoPlanner::kNumArms] = {.6, .6, .6, 1, .6};
// Few preemptions first: of so many executions, every third one has them.
constexpr uint64_t kFewFirst = 18;
// How fast earnings are forgotten: half of it in 22 executions of the arm.
constexpr double kMemory = 31. / 32;
// Earnings below this are luck.
constexpr double kNothing = .02;

constexpr uint64_t kAllSitesEvery = 16;

// Executions that are profiled: enough to see what the first did not, rarely
// enough to cost little.
bool IsProfiled(uint64_t number) {
  return number == 0 || (number >= 8 && std::has_single_bit(number));
}

}  // namespace

AutoPlanner::Arm AutoPlanner::ChooseArm() {
  // Not owed by it afterwards: the others' turns only come later.
  if (number_ <= kFewFirst && number_ % 3 == 0) return kPct;
  double total = 0;
  double kept = 0;
  for (size_t i = 0; i < kNumArms; ++i) {
    total += arms_[i].earning;
    kept += kFloor[i] * kShare[i];
  }
  const bool earning = total > kNothing;
  size_t best = 0;
  for (size_t i = 0; i < kNumArms; ++i) {
    ArmState& arm = arms_[i];
    arm.credit += earning
                      ? kFloor[i] * kShare[i] + (1 - kept) * arm.earning / total
                      : kShare[i];
    if (arm.credit > arms_[best].credit) best = i;
  }
  arms_[best].credit -= 1;
  return static_cast<Arm>(best);
}

std::optional<Planned> AutoPlanner::Next() {
  Planned planned;
  planned.number = number_++;
  planned.flags = abi::kPlanFeatures | abi::kPlanRecord;
  const bool profiled = IsProfiled(planned.number);
  if (profiled) planned.watch.Want(Profiler::kId, ProfileOf::kSharing);
  if (profiled || planned.number % kAllSitesEvery == kAllSitesEvery - 1) {
    planned.sites = Sites::kAll;
  }
  planned.seed = rng_.Next();
  if (planned.number == 0) {
    Fill(planned, kPos);
    planned.arm = kNumArms;  // all is new in it: that is not earned
    return planned;
  }
  Arm arm = ChooseArm();
  // What the corpus holds is of another set of points.
  if (arm == kGoOn && (corpus_.empty() || planned.sites == Sites::kAll)) {
    arm = kPos;
  }
  planned.arm = arm;
  Fill(planned, arm);
  return planned;
}

void AutoPlanner::Fill(Planned& planned, Arm arm) {
  StrategySpec spec;
  switch (arm) {
    case kRandom:
      spec = DefaultSpec(StrategyId::kRandom);
      break;
    case kPos:
      spec = DefaultSpec(StrategyId::kPos);
      break;
    case kSurw:
      spec = SurwSpec();
      break;
    case kPct:
      spec = PctSpec();
      break;
    case kGoOn:
    case kNumArms:
      planned.prefix = corpus_.Prefix(rng_);
      spec = DefaultSpec(rng_.Below(2) == 0 ? StrategyId::kPos
                                            : StrategyId::kRandom);
      break;
  }
  planned.strategy = Informed(spec, learnt_, planned.weights);
}

// Few change points mostly: bugs that need many are rare, and need luck.
StrategySpec AutoPlanner::PctSpec() {
  constexpr uint64_t kChangePoints[] = {1, 2, 1, 2, 3, 1, 2, 5};
  StrategySpec spec = DefaultSpec(StrategyId::kPct);
  spec.params[0] =
      kChangePoints[arms_[kPct].executions % std::size(kChangePoints)];
  return spec;
}

// Everything, and every third time one bucket of sites that several threads
// use.
StrategySpec AutoPlanner::SurwSpec() {
  StrategySpec spec = DefaultSpec(StrategyId::kSurw);
  const uint64_t shared = learnt_.shared_buckets();
  const auto number = static_cast<uint64_t>(std::popcount(shared));
  if (number < 2 || arms_[kSurw].executions % 3 != 2) return spec;
  uint64_t left = rng_.Below(number);
  uint64_t mask = shared;
  for (; left != 0; --left) mask &= mask - 1;
  spec.params[0] = mask & ~(mask - 1);
  return spec;
}

void AutoPlanner::Learn(const Planned& planned, const Observed& observed) {
  const uint64_t num_new =
      behaviours_.Learn(observed.features) + observed.other_news;
  if (planned.arm < kNumArms) {
    ArmState& arm = arms_[planned.arm];
    ++arm.executions;
    arm.earned += num_new;
    // Ten features at once are not ten times as interesting as one.
    arm.earning = arm.earning * kMemory +
                  (1 - kMemory) * std::log2(1. + static_cast<double>(num_new));
  }
  // All sites are another set of points: lengths and places differ.
  if (planned.sites == Sites::kAll && planned.number != 0) return;
  if (observed.point_set != point_set_) {
    learnt_ = Learnt();
    corpus_.Clear();
    point_set_ = observed.point_set;
  }
  learnt_.Learn(observed);
  if (num_new != 0) corpus_.Add(observed.choices, num_new);
}

std::vector<Planner::Share> AutoPlanner::shares() const {
  constexpr const char* kNames[kNumArms] = {"random", "pos", "surw", "pct",
                                            "go-on"};
  std::vector<Share> shares;
  for (size_t i = 0; i < kNumArms; ++i) {
    shares.push_back({kNames[i], arms_[i].executions, arms_[i].earned});
  }
  std::ranges::sort(shares, {}, &Share::strategy);
  return shares;
}

}  // namespace fairlead::explore
