// runtime/model/explore.h
//
// In-process repetition (fairlead::explore): a closure of the program is run
// under one schedule after the other, in the same process. Each iteration
// begins with the strategy's first state, by a seed of its own, and with the
// numbers of threads and points that the first one had. What the closure left
// in memory stays.
//
// A failure ends the process, or, if the closure tells of it itself, the
// repetition; the outcome then names call and seed, by which a fresh process
// runs that iteration alone (abi::Plan::explore_call).
//
// Unsound: an iteration may find what earlier ones left in globals or on the
// heap; only a repetition in a fresh process makes a finding.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_EXPLORE_H_
#define FAIRLEAD_RUNTIME_MODEL_EXPLORE_H_

#include "runtime/thread/thread.h"

struct fairlead_exploration;

namespace fairlead::rt {

// The closure is about to run, or has run: whether it is to run (once more).
bool NextIteration(Thread& thread, fairlead_exploration& exploration);

// The iteration under way has failed, for the reason `why` (may be null). It
// was the last one.
void FailIteration(Thread& thread, const fairlead_exploration& exploration,
                   const char* why);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_EXPLORE_H_
