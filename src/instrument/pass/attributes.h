// instrument/pass/attributes.h
//
// Transformation: takes away promises that hooks break, and brings in code
// that the compiler would otherwise only peek at.

#ifndef FAIRLEAD_INSTRUMENT_PASS_ATTRIBUTES_H_
#define FAIRLEAD_INSTRUMENT_PASS_ATTRIBUTES_H_

#include <llvm/IR/Module.h>

namespace fairlead::pass {

// Removes `memory(…)`, `nosync` and `nofree` from every function of the module
// and every call, except those of the C library and of intrinsics, which are
// not instrumented: a function that calls hooks reads and writes memory and
// may let other threads run.
void RemoveFalsifiedAttributes(llvm::Module& module);

// Members of standard templates that live in the C++ library
// (`extern template`) are handed to the optimizer as bodies it may inline but
// need not; a copy that is not inlined would escape instrumentation. Makes them
// ordinary link-once functions, hidden so that the library keeps its own.
void AdoptLibraryTemplates(llvm::Module& module);

// True for a function that AdoptLibraryTemplates has adopted, or would.
bool IsLibraryTemplate(const llvm::Function& function);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_ATTRIBUTES_H_
