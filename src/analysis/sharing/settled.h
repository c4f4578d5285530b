// analysis/sharing/settled.h
//
// Which shared sites are settled: one execution has shown what they share, and
// more of them would show hardly anything else.
//
//   ordered     creation, joins and barriers order what they touch: the same
//               accesses are neighbours there in every schedule
//   race-free   plain accesses that locks and the like order: who waits for
//               whom is told by these, which are no sites
//   walks       loops over a buffer: a thousand locations have been seen
//
// Whoever touches a location together is settled together: if only some were
// silenced, the others would seem to be neighbours there. Where none of them
// makes a thousand accesses they are not: to be told of them costs nothing.
// What waits in a loop, races and looks at few locations, is not settled; and a
// write that shows of a read which stays that it is no spin stays, too.
//
// Unsound: branches on what is shared may bring a settled site to other
// locations in another schedule. Whoever silences them must sometimes run with
// all.

#ifndef FAIRLEAD_ANALYSIS_SHARING_SETTLED_H_
#define FAIRLEAD_ANALYSIS_SHARING_SETTLED_H_

#include <cstdint>
#include <vector>

#include "analysis/sharing/progress.h"
#include "analysis/sharing/sharing.h"
#include "analysis/sharing/walks.h"

namespace fairlead::analysis {

// By index, ascending; of one execution, which all have seen. `locked` knows an
// order of kLockEdges.
std::vector<uint32_t> SettledSites(Sharing& sharing, const Sharing& locked,
                                   const Progress& progress,
                                   const Walks& walks);

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_SHARING_SETTLED_H_
