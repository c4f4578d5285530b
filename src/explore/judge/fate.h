// explore/judge/fate.h
//
// What became of one execution, put together from the runtime's outcome, how
// the process ended, and who stopped it. This is the only place that judges by
// abi::Status; what a fate is worth is said by explore/judge/outcome_oracle.h,
// and in words by explore/judge/verdict.h.
//
// Incomplete: a signal from outside that the program had blocked and opens
// later looks like one that it has sent itself.

#ifndef FAIRLEAD_EXPLORE_JUDGE_FATE_H_
#define FAIRLEAD_EXPLORE_JUDGE_FATE_H_

#include "explore/run/execution.h"

namespace fairlead::explore {

enum class Fate {
  kEnded,    // by itself, with an exit code; or a server behind its client
  kMisused,  // ended for a misuse that the real function would not survive
  kDied,     // by a fault, or by a signal that it has sent itself
  kDeadlock,
  kLivelock,

  // It has neither passed nor failed.
  kCut,            // by the runtime: Outcome::cut_reason
  kWaitedOutside,  // … when time was over, while nothing in it could go on
  kDiverged,       // left the schedule that it was to follow
  kReplaced,     // became another program: how that one ends is its own affair
  kKilled,       // by a signal from outside
  kFiltered,     // by a filter of system calls that it has installed
  kOutOfTime,    // the tool ended it, since it did not end itself
  kSuspended,    // … while it was stopped (SIGSTOP)
  kOverfull,     // … since it printed more than can be kept
  kDestroyed,    // it wrote over the memory that it shares with us
  kServerLost,   // its fork server died
  kInterrupted,  // the user ended it

  // No execution is possible like this.
  kNotStarted,   // it was gone before the runtime began in it
  kUnsupported,  // it does what the runtime cannot carry: Outcome::text
  kOurBug,       // likewise
};

Fate FateOf(const Executed& executed);

// The signal that ended it; 0 = none did.
int SignalOf(const Executed& executed);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_FATE_H_
