// explore/names/thread_names.h
//
// Threads without a name of their own are called by the function that they
// were started with: "worker", "worker 2" where there are several,
// "lambda:30" (the line of its first step) where that has no name.

#ifndef FAIRLEAD_EXPLORE_NAMES_THREAD_NAMES_H_
#define FAIRLEAD_EXPLORE_NAMES_THREAD_NAMES_H_

#include "finding/finding.h"
#include "trace/trace.h"

namespace fairlead::explore {

// Names the threads of the witness's slice, and says these names where the
// witness tells how threads stood. `whole`: what the slice is of.
void NameThreads(const trace::Trace& whole, finding::Finding& finding);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_NAMES_THREAD_NAMES_H_
