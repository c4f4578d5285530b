// instrument/pass/stubs.h
//
// The stubs of abi/hooks.h, written into the module as they are used, and calls
// of them. A stub is a link-once function, one for all units of a program or
// library, in machine code: nothing may come between a site and the access that
// its stub makes, at any level of optimisation.

#ifndef FAIRLEAD_INSTRUMENT_PASS_STUBS_H_
#define FAIRLEAD_INSTRUMENT_PASS_STUBS_H_

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <array>
#include <optional>

namespace fairlead::pass {

inline constexpr char kStubsSection[] = "fl_stubs";

enum class Hook : unsigned {
#define FL_HOOK_SLOT(result, name, parameters) name,
#include "abi/hooks.inc"
#undef FL_HOOK_SLOT
  kCount
};

class Stubs {
 public:
  explicit Stubs(llvm::Module& module);

  // The hook table, one hidden, link-once variable per loaded module.
  llvm::GlobalVariable* hooks() const { return hooks_; }

  llvm::Function* Get(Hook hook);

  llvm::CallInst* Call(llvm::IRBuilder<>& at, Hook hook,
                       llvm::ArrayRef<llvm::Value*> arguments);

 private:
  llvm::Module& module_;
  llvm::GlobalVariable* hooks_;
  std::array<llvm::Function*, static_cast<size_t>(Hook::kCount)> stubs_ = {};
};

// The hook that loads, or stores, a value of `type`; none for what is neither a
// number of one, two, four or eight bytes nor a pointer.
std::optional<Hook> LoaderOf(const llvm::Type& type);
std::optional<Hook> StorerOf(const llvm::Type& type);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_STUBS_H_
