// explore/explain/trials.h
//
// Executions that ask one question about a finding: does it still fail in the
// same way if …? Along its schedule exactly, along a sketch, with a target
// forced and the rest at random, or at random alone. Runs them as fast as the
// program lets itself be run: forked, if its schedule fails there too.

#ifndef FAIRLEAD_EXPLORE_EXPLAIN_TRIALS_H_
#define FAIRLEAD_EXPLORE_EXPLAIN_TRIALS_H_

#include <memory>
#include <optional>
#include <string>

#include "explore/explain/same_failure.h"
#include "explore/explain/sketch.h"
#include "explore/names/schedule_of.h"
#include "explore/run/runner.h"
#include "finding/target.h"

namespace fairlead::explore {

// What is to be explained; all of it outlives the trials.
struct Subject {
  Setting setting;  // of one slot
  const finding::Finding* finding = nullptr;
  const trace::Schedule* schedule = nullptr;
  Expectations expectations = {};
  std::optional<std::chrono::nanoseconds> timeout = {};
};

// Why nothing can be tried with such a finding, as a sentence; "" = it can.
std::string NotToBeTried(const Subject& subject, bool driven);

class Trials {
 public:
  // kForked: along `subject.schedule` it was seen to fail in a forked
  // execution.
  static Result<std::unique_ptr<Trials>> Make(const Subject& subject);
  // Of another build, where the schedule means nothing: forced ones only.
  static Result<std::unique_ptr<Trials>> MakeWithoutSchedule(
      const Subject& subject);

  // Each gives what came of it; `last()` is the execution. An error means that
  // none could be started.
  Result<Likeness> FollowExactly(const trace::Schedule& schedule,
                                 RecordObserver* observer = nullptr);
  // The same with every site told, which the schedule may not bear.
  Result<Likeness> FollowTold(const trace::Schedule& schedule,
                              RecordObserver& observer);
  Result<Likeness> FollowSketch(const Sketch& sketch);
  // `target` null = a random walk of the same seed.
  Result<Likeness> Force(const finding::Target* target, uint64_t seed,
                         RecordObserver* observer = nullptr);

  const Finished& last() const { return *last_; }
  const SameFailure& same() const { return same_; }
  uint64_t num_made() const { return num_made_; }
  const Subject& subject() const { return subject_; }
  // The schedule of the last one.
  trace::Schedule ScheduleOfLast();

 private:
  Trials(const Subject& subject, Builds builds)
      : subject_(subject),
        same_(*subject.finding, subject.expectations, builds) {}
  Task TaskOf(uint64_t flags, const FollowedInputs* inputs) const;
  Result<Likeness> Run(const Task& task);

  Subject subject_;
  SameFailure same_;
  std::unique_ptr<Runner> runner_;
  FollowedInputs inputs_;
  std::optional<Finished> last_;
  uint64_t num_made_ = 0;
  uint64_t usual_points_ = 0;  // of the original; 0 = not known
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_EXPLAIN_TRIALS_H_
