// explore/names/object_names.h
//
// Names for objects of a witness that no symbol names: primitives and variables
// on stacks, by what they are and in the order in which they appear (mutex#1,
// condvar#2, local#1). Blocks of the heap have theirs
// (explore/names/trace_keeper.h).
//
// Incomplete: the name of a local variable in the source is not looked up.

#ifndef FAIRLEAD_EXPLORE_NAMES_OBJECT_NAMES_H_
#define FAIRLEAD_EXPLORE_NAMES_OBJECT_NAMES_H_

#include <string>
#include <string_view>

#include "explore/run/execution.h"
#include "finding/finding.h"

namespace fairlead::explore {

// Names the objects of `finding`'s slice, and says these names wherever the
// finding had addresses. `executed` is the execution that the slice shows.
void NameObjects(const Executed& executed, finding::Finding& finding);

// `text` with each address (0x…) that lies in an object of `names` as that
// object's name.
std::string WithObjectNames(std::string_view text, const trace::Names& names);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_NAMES_OBJECT_NAMES_H_
