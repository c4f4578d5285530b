// runtime/gate/strategies.h
//
// The strategy of this execution, made from the plan: at the start, again in a
// child of the fork server, and for each iteration of a closure.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_GATE_STRATEGIES_H_
#define FAIRLEAD_RUNTIME_GATE_STRATEGIES_H_

#include "abi/control.h"
#include "sched/strategy.h"

namespace fairlead::rt {

// The strategy that the plan asks for, about to begin; in place of the one
// before.
sched::Strategy& MakeStrategy(abi::ControlPage& page);

// The same strategy, by another seed, from its first state.
sched::Strategy& RestartStrategy(uint64_t seed);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_GATE_STRATEGIES_H_
