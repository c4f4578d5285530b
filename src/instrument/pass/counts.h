// instrument/pass/counts.h
//
// How a frame counts instructions: where it adds how many to its slot, and, for
// each site, how many of those come behind it. Planned on untouched code, since
// it counts the source's own instructions as they are before optimisation,
// without traffic to private locals: the same number at every -O level.
//
// A *stretch* is what runs as a whole: a block, or its part up to and behind a
// call that is followed. Its instructions are added ahead of it. One that would
// have more behind a site than its record can say is cut.

#ifndef FAIRLEAD_INSTRUMENT_PASS_COUNTS_H_
#define FAIRLEAD_INSTRUMENT_PASS_COUNTS_H_

#include <llvm/ADT/SmallVector.h>

#include "instrument/pass/locals.h"
#include "instrument/pass/site.h"

namespace fairlead::pass {

struct Stretch {
  llvm::Instruction* begin;  // null: where the function begins
  unsigned count;            // at least 1
};
using Stretches = llvm::SmallVector<Stretch, 8>;

// Also fills in Site::behind.
Stretches PlanCounts(llvm::Function& function, Sites& sites, Locals& locals);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_COUNTS_H_
