// instrument/pass/silent_calls.h
//
// Transformation: calls of silent functions from active bodies. A function of a
// library in which nothing is told (std::forward, or one that only hands a call
// on) has one body. The optimizer writes it in place wherever an idle body
// calls it, but leaves active bodies alone, so that it would be compiled for
// their sake only, each with a section, a symbol and debug information of its
// own. So the small ones are written in place here.

#ifndef FAIRLEAD_INSTRUMENT_PASS_SILENT_CALLS_H_
#define FAIRLEAD_INSTRUMENT_PASS_SILENT_CALLS_H_

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>

namespace fairlead::pass {

class SilentFunctions {
 public:
  // `function` is one; its body stays as it is now.
  void Add(llvm::Function& function) { small_.insert({&function, kUnknown}); }

  // Writes what `body` calls of them in place, as far as that is small.
  void WriteInto(llvm::Function& body);

 private:
  enum Size { kUnknown, kSmall, kOther };
  bool IsSmall(const llvm::Function& function);

  llvm::DenseMap<const llvm::Function*, Size> small_;
};

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_SILENT_CALLS_H_
