// instrument/pass/copy_function.h
//
// A copy of a function in its own module, with the debug information of the
// original: one of them must let go of it (lines.h). LLVM's CloneFunction does
// the same, but walks all debug information that can be reached from the
// function, for every function: in a file full of templates that took longer
// than all the rest of this pass.

#ifndef FAIRLEAD_INSTRUMENT_PASS_COPY_FUNCTION_H_
#define FAIRLEAD_INSTRUMENT_PASS_COPY_FUNCTION_H_

#include <llvm/ADT/Twine.h>
#include <llvm/IR/Function.h>

namespace fairlead::pass {

// The copy is internal and in no section group; everything else is as in
// `function`, which must not have blocks whose address is taken.
llvm::Function* CopyFunction(llvm::Function& function, const llvm::Twine& name);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_COPY_FUNCTION_H_
