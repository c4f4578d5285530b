// finding/slice_race.h
//
// Which events of an execution show a data race: its two accesses, how the two
// threads began, what each did to the same bytes, and how each synchronised
// around its access.

#ifndef FAIRLEAD_FINDING_SLICE_RACE_H_
#define FAIRLEAD_FINDING_SLICE_RACE_H_

#include <cstdint>

#include "trace/trace.h"

namespace fairlead::finding {

// The accesses are named by Event::seq.
trace::Trace SliceForRace(const trace::Trace& whole, uint64_t earlier,
                          uint64_t later);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_SLICE_RACE_H_
