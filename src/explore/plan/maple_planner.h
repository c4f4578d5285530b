// explore/plan/maple_planner.h
//
// Plans a campaign by iRoots (Maple, sections 5 and 6.1): profiles the program
// until it predicts nothing new, then forces what is predicted and has not been
// exposed, one iRoot after the other. What is learnt goes into a memo, which
// may know other inputs and other builds already.
//
//   profile   executions under pctlarge, watched for iRoots, until kQuiet of
//             them in a row brought no new candidate; and again when another
//             execution exposes what none of them predicted
//   force     two complementary attempts for each candidate, by rank
//   late      six more for those that failed, when nothing else is left, and
//             then two with preconditions where a step never came
//
// With another planner to share with (the portfolio of `auto`), the two take
// turns, two of its for each of ours, so that a bug that one of them finds soon
// is found soon; five of its as long as forcing is in vain. What the other's
// executions expose is learnt from every fourth of them, and it is told how
// many iRoots were new.

#ifndef FAIRLEAD_EXPLORE_PLAN_MAPLE_PLANNER_H_
#define FAIRLEAD_EXPLORE_PLAN_MAPLE_PLANNER_H_

#include <map>
#include <memory>

#include "explore/aim/attempts.h"
#include "explore/plan/learnt.h"
#include "explore/plan/memo.h"
#include "explore/plan/planner.h"

namespace fairlead::explore {

struct MapleOptions {
  uint64_t seed = 1;
  MemoOrder order = MemoOrder::kSuspicion;
  bool libraries = true;
  bool late = true;  // those that rest come back when nothing else is left
};

class MaplePlanner final : public Planner {
 public:
  // Profiled executions in a row without a new candidate.
  static constexpr uint64_t kQuiet = 3;

  // `memo` must outlive the planner. `other` may be null.
  MaplePlanner(Memo& memo, MapleOptions options,
               std::unique_ptr<Planner> other);

  std::optional<Planned> Next() override;
  void Learn(const Planned& planned, const Observed& observed) override;
  bool exhausted() const override;

  uint64_t num_behaviours() const override;
  std::vector<Share> shares() const override;
  std::string Remark() const override;

  uint64_t num_profiled() const { return num_profiled_; }
  uint64_t num_forced() const { return num_forced_; }
  uint64_t num_realised() const { return num_realised_; }

 private:
  enum class Part : uint64_t { kProfile, kForce, kOther };
  struct Begun {
    Part part = Part::kProfile;
    size_t index = 0;    // kForce: of the memo
    uint64_t inner = 0;  // kOther: its number for the other planner
  };

  std::optional<Planned> Own();
  Planned Profile();
  std::optional<size_t> NextToForce(bool late);
  Attempts& AttemptsAt(size_t index);
  void LearnForced(const Begun& begun, const Observed& observed);
  std::optional<Planned> Force(bool late);
  std::optional<Planned> Other();
  Planned Begin(Planned planned, Begun begun);

  Memo& memo_;
  MapleOptions options_;
  std::unique_ptr<Planner> other_;
  bool known_;  // the program, when the campaign began
  Learnt learnt_;
  SeenPointer reference_;  // a profiled execution; null = not seen yet
  // Of iRoots, by index of the memo, under way or with attempts to follow.
  std::map<size_t, Attempts> attempts_;
  // One of which a step never came in the last plain attempt.
  std::optional<size_t> pursued_;
  std::map<uint64_t, Begun> begun_;  // by number of the execution
  uint64_t number_ = 0;
  uint64_t num_quiet_ = 0;  // profiled in a row without a new candidate
  uint64_t num_profiled_ = 0;
  uint64_t num_profiling_ = 0;  // under way
  uint64_t num_forced_ = 0;
  uint64_t num_realised_ = 0;
  uint64_t num_in_vain_ = 0;      // forced in a row, and not realised
  uint64_t others_in_a_row_ = 0;  // executions since our last turn
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_PLAN_MAPLE_PLANNER_H_
