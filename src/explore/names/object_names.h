// explore/names/object_names.h
//
// Names for the objects of a witness (explore/names/object_naming.h), said
// wherever it speaks of an address. What nothing is known of is numbered in the
// order in which it appears (mutex#1, memory#2).

#ifndef FAIRLEAD_EXPLORE_NAMES_OBJECT_NAMES_H_
#define FAIRLEAD_EXPLORE_NAMES_OBJECT_NAMES_H_

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "explore/names/namer.h"
#include "explore/names/trace_keeper.h"
#include "explore/run/execution.h"
#include "finding/finding.h"

namespace fairlead::explore {

// Names the objects of `finding`'s slice, and says these names wherever the
// finding had addresses. `executed` is the execution that the slice shows,
// `whole` all that `keeper` kept of it; `also`: addresses of locks that need
// names beside those that the slice and the texts speak of.
void NameObjects(const Executed& executed, const trace::Trace& whole,
                 const TraceKeeper& keeper, Namer& namer,
                 const std::set<uint64_t>& also, finding::Finding& finding);

// `text` with each address (0x…) that lies in an object of `names` as that
// object's name.
std::string WithObjectNames(std::string_view text, const trace::Names& names);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_NAMES_OBJECT_NAMES_H_
