// runtime/start.h
//
// What a child of the fork server does again of what the start did.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_START_H_
#define FAIRLEAD_RUNTIME_START_H_

#include "abi/control.h"
#include "sched/strategy.h"

namespace fairlead::rt {

// The strategy that the plan asks for, about to begin; in place of the one
// before.
sched::Strategy& MakeStrategy(abi::ControlPage& page);

// The same strategy, by another seed, from its first state.
sched::Strategy& RestartStrategy(uint64_t seed);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_START_H_
