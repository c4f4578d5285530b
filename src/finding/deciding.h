// finding/deciding.h
//
// What a report marks in the events that decided a failure: the steps that get
// in each other's way, where it could not be avoided any more, which locks were
// held, and whose call led there.

#ifndef FAIRLEAD_FINDING_DECIDING_H_
#define FAIRLEAD_FINDING_DECIDING_H_

#include <span>
#include <vector>

#include "finding/finding.h"
#include "finding/slice_for.h"

namespace fairlead::finding {

// `sliced`: with the objects of its names as they are shown; `whole`: what it
// is a slice of.
std::vector<Deciding> DecidingOf(const Sliced& sliced,
                                 const trace::Trace& whole,
                                 std::span<const Stuck> stuck);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_DECIDING_H_
