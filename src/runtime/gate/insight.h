// runtime/gate/insight.h
//
// Answers what a strategy asks about the threads at the gate
// (sched/insight.h).
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_GATE_INSIGHT_H_
#define FAIRLEAD_RUNTIME_GATE_INSIGHT_H_

#include "sched/insight.h"

namespace fairlead::rt {

const sched::Insight& gate_insight();

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_GATE_INSIGHT_H_
