// explore/target_record.h
//
// A target (finding/target.h) as the director in the program gets it
// (abi/target.h): roles become numbers, words become operations.
//
// Unsound: what the director does not look at is left out here: values,
// contexts, units, distances, and relations between objects other than being
// the same.

#ifndef FAIRLEAD_EXPLORE_TARGET_RECORD_H_
#define FAIRLEAD_EXPLORE_TARGET_RECORD_H_

#include "abi/target.h"
#include "explore/control_memory.h"
#include "finding/target.h"

namespace fairlead::explore {

// `target` has passed CheckTarget.
abi::TargetRecord RecordOf(const finding::Target& target);

// How far the director came in an execution; nothing if it had no target.
abi::TargetProgress ProgressOf(const ControlMemory& memory);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_TARGET_RECORD_H_
