// instrument/pass/library_calls.h
//
// What calls to code that is not compiled with us do to memory: functions of
// the C library, from a table, and members of standard classes that live in the
// C++ library (`std::string::append`), as an access to the whole object. Where
// the optimizer was given the body of such a member and the pass adopted it
// (attributes.h), the access is marked as covered: it is there so that a site
// keeps its anchor at every -O level.
//
// Unsound: functions outside the table touch memory unseen.

#ifndef FAIRLEAD_INSTRUMENT_PASS_LIBRARY_CALLS_H_
#define FAIRLEAD_INSTRUMENT_PASS_LIBRARY_CALLS_H_

#include <llvm/IR/InstrTypes.h>

#include "instrument/pass/site.h"

namespace fairlead::pass {

struct LibraryCall {
  bool quiet = false;  // keep no calling context for it
  Sites ranges;        // kind, address, size and length are filled in
};

// What `call` does to memory by itself; empty for calls of unknown code.
LibraryCall LibraryCallOf(llvm::CallBase& call);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_LIBRARY_CALLS_H_
