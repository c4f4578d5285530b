// explore/judge/describe.h
//
// From a failure (explore/judge/judgement.h) to a finding that people can read:
// message, places, how every thread stood. Reads the binaries of the program,
// so it is not for every execution.

#ifndef FAIRLEAD_EXPLORE_JUDGE_DESCRIBE_H_
#define FAIRLEAD_EXPLORE_JUDGE_DESCRIBE_H_

#include "explore/judge/judgement.h"
#include "explore/names/namer.h"
#include "explore/names/stacks.h"
#include "explore/run/runner.h"
#include "finding/finding.h"

namespace fairlead::explore {

// All but verdict, schedule and slice.
finding::Finding Describe(const Failure& failure, const Finished& finished,
                          Namer& namer);

// How every thread that had not ended stood when the execution did.
std::vector<finding::ThreadState> ThreadStates(const Executed& executed,
                                               const Stacks& stacks,
                                               Namer& namer);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_DESCRIBE_H_
