// explore/aim/approach.h
//
// How a target is to be approached after attempts at it: as it is, or so that a
// step that never came may come: with preconditions
// (explore/aim/preconditions.h), derived from the events of the attempts so far
// and of other executions, and with a value for the target's own read ahead of
// it. Shared by whoever makes attempts.

#ifndef FAIRLEAD_EXPLORE_AIM_APPROACH_H_
#define FAIRLEAD_EXPLORE_AIM_APPROACH_H_

#include <optional>
#include <string>
#include <vector>

#include "explore/aim/preconditions.h"
#include "finding/target.h"

namespace fairlead::explore {

class Approach {
 public:
  // `functions`: by step, the one that it lies in; "" = not known.
  Approach(finding::Target target, std::vector<std::string> functions);

  const finding::Target& target() const { return target_; }

  // An execution that has been seen, an attempt or another one.
  void Learn(SeenPointer seen) { seen_.push_back(std::move(seen)); }
  // Steps that came in sight in some attempt; its own, by OwnProgress.
  void Sighted(uint64_t steps) { in_sight_ |= steps; }
  uint64_t in_sight() const { return in_sight_; }
  // Whether a step never came.
  bool Misses() const;

  // Without anything that leads there. Of a deadlock each attempt but the first
  // (0) has the locks taken one after the other, each in another order: a
  // thread that holds its lock may keep another from ever coming to its own.
  Prepared AsItIs(uint64_t attempt = 0) const;
  // How many attempts that is worth.
  uint64_t num_plain_attempts() const;
  // With preconditions that were not proposed before; none when no step is
  // missing, or there is nothing to propose.
  std::optional<Prepared> Next();

 private:
  std::optional<Prepared> NextValue(size_t step);

  finding::Target target_;
  std::vector<std::string> functions_;
  SeenExecutions seen_;
  uint64_t in_sight_ = 0;
  size_t num_proposed_ = 0;
  size_t num_values_ = 0;  // asked for, of a read of the target's own
};

// Of the steps of the target itself, where others have been added to it.
abi::TargetProgress OwnProgress(abi::TargetProgress progress,
                                const std::vector<size_t>& own);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_AIM_APPROACH_H_
