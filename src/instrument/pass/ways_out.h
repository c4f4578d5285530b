// instrument/pass/ways_out.h
//
// Which functions of libraries get frames (frames.h). Libraries are made of
// small functions that call each other, many times as many as a program's own.
// Those that only hand a call on are not worth a frame: what they call is seen
// as called by whoever called the library. But code of others must not come in
// or go out unseen (compiled.h), and where a thread waits, or wakes another, a
// reader wants to know in what.

#ifndef FAIRLEAD_INSTRUMENT_PASS_WAYS_OUT_H_
#define FAIRLEAD_INSTRUMENT_PASS_WAYS_OUT_H_

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>

namespace fairlead::pass {

class WaysOut {
 public:
  // Looks at the calls of `functions`, all that the module has.
  explicit WaysOut(llvm::ArrayRef<llvm::Function*> functions);

  // Whether calls by name lead from `function` to one that synchronises
  // threads, or code of others may come in or be called.
  bool Has(const llvm::Function& function) const {
    return ways_out_.contains(&function);
  }

 private:
  llvm::DenseSet<const llvm::Function*> ways_out_;
};

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_WAYS_OUT_H_
