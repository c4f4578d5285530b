// explore/campaign/checkup.h
//
// How far a program can be trusted to repeat itself: the same few seeds several
// times each, compared event by event (explore/judge/determinism.h). What it
// did that no schedule controls is named, with what can be done about it.
//
// Incomplete: a program that differs once in a hundred executions may get 1.00;
// ask for more repetitions.

#ifndef FAIRLEAD_EXPLORE_CAMPAIGN_CHECKUP_H_
#define FAIRLEAD_EXPLORE_CAMPAIGN_CHECKUP_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "explore/judge/uncontrolled.h"
#include "explore/judge/verdict.h"
#include "explore/run/execution.h"

namespace fairlead::explore {

struct Repetitions {
  uint64_t seeds = 3;
  uint64_t each = 5;  // executions of each seed, at least 2
};

struct Checkup {
  uint64_t num_executions = 0;
  uint64_t num_cut = 0;       // of them, by the limit of time
  bool stopped = false;       // by the user, before all had been run
  uint64_t num_compared = 0;  // with the first of their seed; none that was cut
  uint64_t num_equal = 0;     // of them, in every event and both digests
  std::vector<std::string> difference;  // the first one, in lines; empty = none
  uint64_t difference_seed = 0;
  // In the execution that had the most.
  std::vector<UncontrolledSource> uncontrolled;
  abi::CarrierId carrier = abi::CarrierId::kFiber;  // the one used
  uint64_t num_threads = 0;  // of the execution with the most threads
  uint64_t num_events = 0;   // likewise
  // Verdicts other than ok, each word once with its first sentence.
  std::vector<std::pair<std::string, std::string>> failures;

  // 1 = every repetition was equal, 0 = none was.
  double Score() const;
};

// Runs `order` with seeds 1, 2, ... The program's standard output and error are
// thrown away; its standard input is explore/run/repeated_input.h. An error
// when the program cannot be started or cannot be controlled. If the user stops
// it, the result is of the executions until then.
Result<Checkup> CheckUp(Order order, Repetitions repetitions,
                        const std::vector<int>& ok_exits);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_CAMPAIGN_CHECKUP_H_
