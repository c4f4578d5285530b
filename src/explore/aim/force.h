// explore/aim/force.h
//
// Makes a target happen: a few executions under the director, each attempt with
// another base schedule, until one realises it and fails, or the attempts are
// used up.
// Which attempts those are is decided by explore/aim/attempts.h; this runs and
// judges them. Says how far it came, and why it did not come further.

#ifndef FAIRLEAD_EXPLORE_AIM_FORCE_H_
#define FAIRLEAD_EXPLORE_AIM_FORCE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "explore/judge/verdict.h"
#include "explore/run/execution.h"
#include "explore/run/strategy_spec.h"
#include "finding/target.h"

namespace fairlead::explore {

// Maple gives a candidate two attempts for each input and six in all; the
// targets of tests/sched/director_test.cc need no more than these.
inline constexpr uint64_t kDefaultAttempts = 6;

struct Forcing {
  uint64_t attempts = kDefaultAttempts;
  // What decides among threads that the target leaves alone; none: older
  // threads first, then younger ones, then random preferences.
  std::optional<StrategySpec> base = {};
};

enum class Reached {
  kRealised,  // every step in order, or the deadlock or failure it predicts
  kPartly,    // some steps in order
  kNothing,   // not even the first
};

struct Forced {
  Reached reached = Reached::kNothing;
  uint64_t attempts = 0;  // until it was realised, or all that were made
  // Made after that, since nothing had failed: what comes of an interleaving
  // depends on what goes on behind it.
  uint64_t further = 0;
  abi::TargetProgress progress = {};  // of the attempt that came furthest
  Verdict verdict;                    // of the same attempt
  std::optional<Executed> last;       // the last attempt; the one that realised
                                      // the target if one did, and failed if
                                      // one of those did
  std::vector<std::string> why;       // which step never came, one line each
  std::vector<std::string> tried;     // what came of the attempts, in lines
  // What the attempt that realised it had besides: the target with the
  // preconditions that were derived; none = the target as it is.
  std::optional<finding::Target> prepared;
  bool stopped = false;  // by the user, in the midst of an attempt
};

// `order` has the program and the limits; its plan's seed is the first one.
// `ok_exits` as in Judge. Stops early when the user interrupts. Refuses targets
// that no director can realise (CheckForcible).
Result<Forced> ForceTarget(const finding::Target& target, Order order,
                           const std::vector<int>& ok_exits,
                           const Forcing& forcing);

// Makes `plan` one for the director's attempt of this number, counted from 0.
// Fails for a base that cannot be one.
Status PlanAttempt(abi::Plan& plan, uint64_t attempt,
                   const std::optional<StrategySpec>& base);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_AIM_FORCE_H_
