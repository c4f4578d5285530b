// explore/run/target_record.h
//
// A target (finding/target.h) as the director in the program gets it
// (abi/target.h): roles become numbers, words become operations.
//
// Not carried over: the locks that open a window (TargetEdge::opens). A
// director lets their holder go on when the others cannot, which is what they
// say.

#ifndef FAIRLEAD_EXPLORE_RUN_TARGET_RECORD_H_
#define FAIRLEAD_EXPLORE_RUN_TARGET_RECORD_H_

#include "abi/target.h"
#include "explore/run/control_memory.h"
#include "finding/target.h"

namespace fairlead::explore {

// What a director cannot do for a target that has passed CheckTarget, as a
// sentence: a value of something that has none, more objects than fit.
Status CheckForcible(const finding::Target& target);

// `target` has passed both checks.
abi::TargetRecord RecordOf(const finding::Target& target);

// What the plan of an execution that forces it must ask for besides: PlanFlag
// bits.
uint64_t PlanFlagsFor(const finding::Target& target);

// How far the director came in an execution; nothing if it had no target.
abi::TargetProgress ProgressOf(const ControlMemory& memory);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_RUN_TARGET_RECORD_H_
