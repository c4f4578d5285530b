// instrument/pass/compiled.h
//
// Which code is compiled with us, and which calls may lead out of it. What
// happens out there is seen only where it calls what the runtime models, so two
// threads that have been there may have synchronised unseen.

#ifndef FAIRLEAD_INSTRUMENT_PASS_COMPILED_H_
#define FAIRLEAD_INSTRUMENT_PASS_COMPILED_H_

#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>

namespace fairlead::pass {

// Whether the body of `function` gets hooks.
bool IsInstrumented(const llvm::Function& function);

// Whether `call` may lead to code without frames that may synchronise unseen.
// Not so: bodies of this module; the C library, whose synchronisation is
// modelled, as it is compiled here and now; the C++ library's functions that do
// no more than compute, or go through the C library.
bool MayLeaveCompiled(const llvm::CallBase& call);

// Whether somebody else than a call by name in this module may enter
// `function`.
bool MayBeEnteredFromElsewhere(const llvm::Function& function);

// Whether a caller may have left the address of `function` as whom it calls. Of
// inline functions whose address this module does not take it is said to be
// not so: to ask would keep a body that nothing else needs, thousands in a file
// with templates. If another module takes it, too much counts as code of
// others.
bool MayBeEnteredByAddress(const llvm::Function& function);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_COMPILED_H_
