// instrument/pass/feeds.h
//
// What a loaded value is used for: an address, an index, a branch, a call
// argument. Followed through casts, arithmetic, comparisons, phis, selects and
// through locals that never escape (the pass sees code before locals have been
// promoted to registers).
//
// Unsound: gives up after kMostValues values; uses beyond are not seen.

#ifndef FAIRLEAD_INSTRUMENT_PASS_FEEDS_H_
#define FAIRLEAD_INSTRUMENT_PASS_FEEDS_H_

#include <llvm/IR/Value.h>

#include <cstdint>

#include "instrument/pass/locals.h"

namespace fairlead::pass {

// Returns the kSiteFeeds… bits of abi::SiteFlag for `loaded`.
uint32_t FeedsOf(const llvm::Value* loaded, Locals& locals);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_FEEDS_H_
