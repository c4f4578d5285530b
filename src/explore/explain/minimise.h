// explore/explain/minimise.h
//
// Makes a failing schedule small: the fewest preemptions, then switches,
// threads and steps that still fail in the same way. Delta debugging (Zeller
// and Hildebrandt, TSE 2002) over the choices that differ from not preempting;
// where several preemptions are left, single ones everywhere; then moves: a
// preemption is taken away while another one happens somewhere else in its
// thread. Every trial is an execution; what it recorded is the next schedule,
// so it can be followed exactly.
//
// Incomplete: the result is small, not the smallest there is.

#ifndef FAIRLEAD_EXPLORE_EXPLAIN_MINIMISE_H_
#define FAIRLEAD_EXPLORE_EXPLAIN_MINIMISE_H_

#include "explore/explain/trials.h"

namespace fairlead::explore {

inline constexpr uint64_t kMostMinimising = 500;

struct Minimised {
  trace::Schedule schedule;
  finding::ScheduleSize before;
  finding::ScheduleSize after;
  uint64_t executions = 0;
  bool stopped = false;  // before all that could be tried was
};

// Tries at most `limit` executions, or until nobody waits (base/patience.h).
// An error where none could be run, or where the sketch of the schedule alone
// does not fail.
Result<Minimised> Minimise(Trials& trials, uint64_t limit = kMostMinimising);

struct Verified {
  finding::Count fibers;
  finding::Count threads;
  bool all() const {
    return fibers.failed == fibers.tried && threads.failed == threads.tried &&
           fibers.tried != 0 && threads.tried != 0;
  }
};

// Follows it exactly in fresh processes, so often on each carrier; stops at the
// first that does not fail like the finding.
Result<Verified> Verify(const Subject& subject, const trace::Schedule& schedule,
                        uint64_t times);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_EXPLAIN_MINIMISE_H_
