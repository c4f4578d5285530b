// instrument/pass/stubs.h
//
// The stubs of abi/hooks.h, written into the module as they are used, and calls
// of them. A stub is a link-once function, one for all units of a program or
// library, in machine code: nothing may come between a site and the access that
// its stub makes, at any level of optimisation.
//
// A unit calls them by way of its own step, which makes the address of a record
// out of its distance from the unit's first one: a number takes half the code
// of an address, and a call to where the caller is takes no relocation. So
// there is a step in each section that holds calls of it.

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
  // Where the distances of records begin: those of functions, those of sites.
  // The latter is null where there is no site.
  struct Bases {
    llvm::Constant* functions;
    llvm::Constant* sites;
  };
  Stubs(llvm::Module& module, const Bases& bases);

  // The hook table, one hidden, link-once variable per loaded module.
  llvm::GlobalVariable* hooks() const { return hooks_; }

  llvm::Constant* functions() const { return bases_.functions; }

  llvm::Function* Get(Hook hook);

  // The record among `arguments` is its distance, as a word.
  llvm::CallInst* Call(llvm::IRBuilder<>& at, Hook hook,
                       llvm::ArrayRef<llvm::Value*> arguments);

  // Call once, when every call is in the function where it stays: gives each
  // section its steps.
  void PlaceSteps();

 private:
  using All = std::array<llvm::Function*, static_cast<size_t>(Hook::kCount)>;

  // In the table of hooks.
  llvm::Constant* PlaceOf(Hook hook) const;
  llvm::Function* Step(Hook hook);
  llvm::Function* NewStep(Hook hook, llvm::StringRef section);

  llvm::Module& module_;
  Bases bases_;
  llvm::GlobalVariable* hooks_;
  All stubs_ = {};
  All steps_ = {};
};

// The hook that loads, or stores, a value of `type`; none for what is neither a
// number of one, two, four or eight bytes nor a pointer.
std::optional<Hook> LoaderOf(const llvm::Type& type);
std::optional<Hook> StorerOf(const llvm::Type& type);

}  // namespace fairlead::pass

#endif  // FAIRLEAD_INSTRUMENT_PASS_STUBS_H_
