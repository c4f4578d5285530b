// finding/slice_aba.h
//
// A compare-and-exchange that succeeds though others have changed the value
// meanwhile and changed it back (ABA): what the thread had concluded from the
// old value, and now writes, need not hold any more.

#ifndef FAIRLEAD_FINDING_SLICE_ABA_H_
#define FAIRLEAD_FINDING_SLICE_ABA_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "finding/slice_index.h"
#include "trace/trace.h"

namespace fairlead::finding {

// Indices of events.
struct Aba {
  size_t look = 0;                // the thread reads the value
  size_t stale = 0;               // … and then elsewhere what it will write
  std::vector<size_t> meanwhile;  // writes of others to it, ascending
  size_t exchange = 0;            // … which succeeds
};

// The latest. Assumes: what is written was read in between, as the next element
// of a list is; so the locks that are made of such an exchange are none.
std::optional<Aba> LatestAba(const trace::Trace& whole,
                             const SliceIndex& index);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_SLICE_ABA_H_
