// instrument/pass/lines.h
//
// Transformation: what debug information says about an active body is its name
// and its lines. Following variables through code between calls, in scopes of
// their own, and a row for each column took the compiler more time and room
// than the code; sites know their columns. Who wants to see variables while a
// program is watched compiles it with -O0, where there is one body.

#ifndef FAIRLEAD_INSTRUMENT_PASS_LINES_H_
#define FAIRLEAD_INSTRUMENT_PASS_LINES_H_

#include <llvm/IR/Function.h>

namespace fairlead::pass {

// `active` shares its debug information with another function, and has some of
// its own afterwards. What was written in place has the line of its call.
void KeepLinesOnly(llvm::Function& active);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_LINES_H_
