// finding/slice_failed.h
//
// The part of a trace up to where something went wrong: what comes after it has
// nothing to do with that.

#ifndef FAIRLEAD_FINDING_SLICE_FAILED_H_
#define FAIRLEAD_FINDING_SLICE_FAILED_H_

#include <cstdint>
#include <optional>
#include <set>

#include "trace/names.h"
#include "trace/trace.h"

namespace fairlead::finding {

// Whether the event tells how the program, or one of its threads, ended.
bool TellsTheEnd(const trace::Event& event);

// Of a test that says at which line it failed.
// Ends with the last event at that line, or in a call that was made there; only
// the file's name counts. Nothing if that line is not in the trace.
std::optional<trace::Trace> UpToFailure(const trace::Trace& whole,
                                        const trace::Place& failed_at);

// Ends with the first misuse of one of these addresses, the access that it was,
// and how the program ended later. Nothing if there is none.
std::optional<trace::Trace> UpToMisuse(const trace::Trace& whole,
                                       const std::set<uint64_t>& touched);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_SLICE_FAILED_H_
