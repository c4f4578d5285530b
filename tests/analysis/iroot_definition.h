// iRoots by their definitions, found by looking at all pairs of events: meant
// to be read next to docs/design/maple.md.

#ifndef FAIRLEAD_TESTS_ANALYSIS_IROOT_DEFINITION_H_
#define FAIRLEAD_TESTS_ANALYSIS_IROOT_DEFINITION_H_

#include <set>

#include "analysis/iroot/iroot.h"
#include "trace/trace.h"

namespace fairlead::analysis::iroot {

std::set<IRoot> ExposedByDefinition(const trace::Trace& trace, uint64_t window);

// Every access must be to one of a few variables that do not overlap, and no
// memory may end.
std::set<IRoot> PredictedByDefinition(const trace::Trace& trace,
                                      uint64_t window);

}  // namespace fairlead::analysis::iroot

#endif  // FAIRLEAD_TESTS_ANALYSIS_IROOT_DEFINITION_H_
