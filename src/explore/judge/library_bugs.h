// explore/judge/library_bugs.h
//
// Failures that are a library's own, not the program's: a thread waits inside
// of a primitive although the primitive's own state says that it could go on.
// What that state is, is known for few of them; a claim is made only where the
// memory of the failed execution shows it.

#ifndef FAIRLEAD_EXPLORE_JUDGE_LIBRARY_BUGS_H_
#define FAIRLEAD_EXPLORE_JUDGE_LIBRARY_BUGS_H_

#include <string>

#include "abi/control.h"
#include "explore/names/stacks.h"

namespace fairlead::explore {

// A sentence that says what the library does wrong; "" = nothing is known.
std::string LibraryBug(const abi::Outcome& outcome, const Stacks& stacks);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_LIBRARY_BUGS_H_
