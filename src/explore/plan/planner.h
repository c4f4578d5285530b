// explore/plan/planner.h
//
// A Planner says what the next execution of a campaign is to do, and learns
// from what came of it. Pure: it starts nothing, reads no clock and no file, so
// the same seed and the same sequence of calls give the same plans.
//
//   while (budget left) {
//     std::optional<Planned> planned = planner->Next();
//     if (!planned) break;          // or wait, see Next
//     ... run it: planned->WriteTo(plan), planned->prefix, planned->sites ...
//     planner->Learn(*planned, observed);
//   }
//
// Several executions may be under way at once: Next may be called again before
// Learn, and Learn may come in any order.

#ifndef FAIRLEAD_EXPLORE_PLAN_PLANNER_H_
#define FAIRLEAD_EXPLORE_PLAN_PLANNER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "abi/control.h"
#include "base/result.h"
#include "explore/run/execution.h"
#include "explore/run/strategy_spec.h"
#include "explore/watch/watched.h"
#include "finding/finding.h"

namespace fairlead::explore {

// Which sites are points in an execution.
enum class Sites {
  kShared,  // those that a profile has seen shared in no fixed order, and those
            // never seen
  kRacy,    // of these, plain accesses only if they raced (ProfileOf::kRaces)
  // Of kShared, those whose iRoots a profile may not have shown; the others
  // tell nothing. All of kShared if the target has a step at one of those.
  kUnsettled,
  kAll,
};

// What one execution is to do. With the program it is the whole recipe.
struct Planned {
  uint64_t number = 0;  // from 0, in the order of Next
  StrategySpec strategy;
  uint64_t seed = 0;
  // Followed to its end before `strategy` decides; usually empty.
  std::vector<abi::ChoiceRecord> prefix;
  // Per thread, what `surw` needs; usually empty.
  std::vector<abi::WeightRecord> weights;
  // What the director is to force; one, or none for another strategy.
  std::vector<abi::TargetRecord> target;
  // Not 0: fairlead::explore() runs its closures so often, and has run them
  // `iterations_done` times in earlier executions.
  uint64_t iterations = 0;
  uint64_t iterations_done = 0;
  // Else, of the call of that number (from 1; 0 = none) the closure is run with
  // a strategy of that seed: an iteration alone.
  uint64_t explore_call = 0;
  uint64_t explore_seed = 0;
  Sites sites = Sites::kShared;
  // Who is to watch it. Of a profiled execution all sites emit events,
  // whichever are points, and the campaign merges the profile (the set of
  // points only grows).
  Wishes watch = {};
  // What is forced in it, for people and for what is found; null = nothing.
  std::shared_ptr<const finding::Aim> aim = nullptr;
  // What the planner wants to learn from it: PlanFlag bits (kPlanRecord,
  // kPlanFeatures, kPlanPoints), to be added to those of the campaign.
  uint64_t flags = 0;
  uint64_t arm = 0;  // the planner's own, to know it again

  // Sets strategy, params, seed, flags and what concerns fairlead::explore() in
  // `plan`, nothing else.
  void WriteTo(abi::Plan& plan) const;
};

// What is kept of an execution for its planner. Spans need to live only as long
// as the call of Learn. A span whose flag was not asked for may be empty.
struct Observed {
  enum class End { kOk, kFailed, kCut };
  End end = End::kOk;
  uint64_t steps = 0;                           // Outcome::steps
  uint64_t points = 0;                          // Outcome::points
  uint32_t num_threads = 1;                     // Outcome::num_threads
  uint64_t point_set = 0;                       // Outcome::point_set_digest
  std::span<const abi::ThreadEntry> threads;    // RegionId::kThreads
  std::span<const abi::ChoiceRecord> choices;   // kChoicesOut; kPlanRecord
  std::span<const uint64_t> features;           // kFeatures; kPlanFeatures
  std::span<const abi::OperationCount> counts;  // kCounts; kPlanFeatures
  std::span<const abi::SeenRecord> seen;        // kPointsOut; kPlanPoints
  abi::TargetProgress target = {};              // how far the director came
  // Its watchers; null = it had none.
  Watched* watched = nullptr;
  // What was seen for the first time besides features, as whoever shares the
  // campaign with the planner counts it.
  uint64_t other_news = 0;
  uint64_t nanoseconds = 0;    // since the execution before was learnt
  uint64_t explored = 0;       // Outcome::explored
  uint64_t explore_steps = 0;  // Outcome::explore_steps
  uint64_t explore_more = 0;   // Outcome::explore_more

  // What the watcher W has seen; null unless Planned::watch asked for it and it
  // could be seen.
  template <typename W>
  const typename W::Seen* By() const {
    return watched == nullptr ? nullptr : watched->By<W>();
  }
};

// What `executed` left in its control memory, which must outlive the result.
Observed ObservedOf(const Executed& executed, Observed::End end);

class Planner {
 public:
  virtual ~Planner() = default;

  // The next execution. Nothing when there is none: for good if exhausted(),
  // else until one of those under way has been learnt.
  virtual std::optional<Planned> Next() = 0;

  virtual void Learn(const Planned& planned, const Observed& observed) = 0;

  // Whether every execution that this planner would ever plan has been learnt.
  virtual bool exhausted() const { return false; }

  // How many features (reads-from pairs, lock orders, contexts) have been seen.
  virtual uint64_t num_behaviours() const { return 0; }

  // Executions by strategy so far, for the report; ordered by name.
  struct Share {
    std::string strategy;
    uint64_t executions;
    uint64_t earned;  // features that it was the first to show
  };
  virtual std::vector<Share> shares() const { return {}; }

  // What there is to say at the end ("the space of 2 preemptions held 1,764
  // schedules; all were run"); "" = nothing.
  virtual std::string Remark() const { return {}; }
};

// The planner for `--strategy SPEC --seed N`: `auto`, `chess`, or one strategy
// with a seed of its own for each execution (explore/run/seeds.h).
Result<std::unique_ptr<Planner>> MakePlanner(std::string_view spec,
                                             uint64_t seed);

// One line for each spec that MakePlanner takes, for --help.
std::string PlannerHelp();

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_PLAN_PLANNER_H_
