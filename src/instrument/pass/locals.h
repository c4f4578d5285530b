// instrument/pass/locals.h
//
// Decides which addresses no other thread can reach: locals whose address never
// escapes, by-value parameters, and constants. Accesses to these get no site.
//
// Unsound: none intended; a pointer that cannot be traced back counts as
// shared.

#ifndef FAIRLEAD_INSTRUMENT_PASS_LOCALS_H_
#define FAIRLEAD_INSTRUMENT_PASS_LOCALS_H_

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Value.h>

namespace fairlead::pass {

class Locals {
 public:
  // True if every object that `address` may point into is private to the
  // activation of the function, or constant.
  bool IsPrivate(const llvm::Value* address);

 private:
  bool IsPrivateObject(const llvm::Value* object);

  llvm::DenseMap<const llvm::Value*, bool> known_;
};

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_LOCALS_H_
