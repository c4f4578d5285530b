// explore/plan/chess_planner.h
//
// The planner behind `--strategy chess`: every schedule with at most `bound`
// preemptions, each once, those with fewer preemptions first (iterative context
// bounding: Musuvathi and Qadeer, PLDI 2007). An execution follows a prefix and
// then does not preempt (sched/chess_strategy.h); from the choices that it
// recorded, with all candidates, the prefixes of its children are made: one for
// each candidate not taken behind its own prefix.
//
//   preemption   the thread that arrived could go on, and another one does.
//                Switching when it ends, must wait or yields costs nothing
//   sleep set    a child need not begin with what its parent did at the place
//                where they part until something conflicts with it: the orders
//                that come of it are those of the parent's other children
//                (Godefroid, LNCS 1032, 1996)
//
// Sleep sets and bounds do not go together in general: the order that was run
// first may have cost more preemptions than the one that is left out (Coons,
// Musuvathi and McKinley, OOPSLA 2013). So only the thread that went on without
// being preempted is put to sleep, and only with an operation that lets nobody
// else go on: running it first never costs more.
//
// Points are synchronisation, shared atomics, and the accesses that race in the
// first executions (Planned::races): between two accesses that a lock keeps
// apart a switch at the lock is as good (Musuvathi and others, OSDI 2008).
// Resumable: Save() is all there is to know.
//
// Incomplete: a space that does not fit into kMaxWaiting places is cut, and
// Remark says so; so is one whose executions do not follow their prefixes.

#ifndef FAIRLEAD_EXPLORE_PLAN_CHESS_PLANNER_H_
#define FAIRLEAD_EXPLORE_PLAN_CHESS_PLANNER_H_

#include <deque>
#include <map>

#include "explore/plan/behaviours.h"
#include "explore/plan/planner.h"

namespace fairlead::explore {

enum class SleepSets { kOff, kOn };
enum class Profiling { kOff, kOn };

class ChessPlanner final : public Planner {
 public:
  explicit ChessPlanner(uint64_t bound, SleepSets sleep_sets = SleepSets::kOn,
                        Profiling profiling = Profiling::kOn);

  std::optional<Planned> Next() override;
  void Learn(const Planned& planned, const Observed& observed) override;
  bool exhausted() const override;
  uint64_t num_behaviours() const override { return behaviours_.number(); }
  std::vector<Share> shares() const override;
  std::string Remark() const override;

  // Different schedules that have been run.
  uint64_t num_schedules() const { return num_schedules_; }

  // The whole state as text, and a planner that goes on from there. Executions
  // under way when it was saved are planned again.
  std::string Save() const;
  static Result<std::unique_ptr<ChessPlanner>> RestoreUntrusted(
      std::string_view text);

 private:
  // An execution to be: its prefix, and who is asleep behind it. What sleepers
  // would do is told anew by each execution, as addresses may differ.
  struct Waiting {
    std::vector<abi::ChoiceRecord> prefix;
    std::vector<abi::Tid> asleep;
    uint64_t branch = 0;  // choices until the prefix ends, its last included
    uint64_t preemptions = 0;
  };
  // The candidates of one choice.
  using Choice = std::span<const abi::SeenRecord>;

  void Expand(const Waiting& parent, const Observed& observed);
  void Branch(Choice choice, size_t chosen, uint64_t branch,
              uint64_t preemptions, std::span<const abi::ChoiceRecord> before,
              const std::vector<abi::Tid>& asleep);
  void Enqueue(Waiting child, bool preempts);

  uint64_t bound_;
  SleepSets sleep_sets_;
  uint64_t num_profiled_;  // executions before the search
  uint64_t number_ = 0;
  std::vector<std::deque<Waiting>> waiting_;  // by preemptions
  uint64_t num_waiting_ = 0;
  std::map<uint64_t, Waiting> under_way_;  // by Planned::number
  uint64_t num_schedules_ = 0;
  uint64_t num_repeated_ = 0;  // executions that sleep sets made superfluous
  uint64_t num_strayed_ = 0;   // did not follow their prefix
  uint64_t num_left_out_ = 0;  // places for which there was no room
  uint64_t num_cut_ = 0;       // executions whose choices are not all known
  Behaviours behaviours_;      // not saved
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_PLAN_CHESS_PLANNER_H_
