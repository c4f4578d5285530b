#include "instrument/pass/locals.h"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Argument.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>

namespace fairlead::pass {
namespace {

bool IsConstantGlobal(const llvm::Value* object) {
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object);
  if (global == nullptr) return false;
  // Counters of coverage and profiling, and tables of sanitizers, are the
  // compiler's, and the pointer of the public header is ours: neither is the
  // program's.
  if (global->getName().starts_with("__fl_") ||
      global->getName().starts_with("__prof") ||
      global->getName().starts_with("__llvm") ||
      global->getName().starts_with("__ubsan") ||
      global->getName().starts_with("llvm.")) {
    return true;
  }
  return global->isConstant() && !global->isExternallyInitialized();
}

// Sees whether an address leaves the function, and whether the search for that
// gave up at its limit of uses.
class EscapeSearch : public llvm::CaptureTracker {
 public:
  void tooManyUses() override { gave_up_ = true; }
  bool captured(const llvm::Use*) override { return escapes_ = true; }

  bool gave_up() const { return gave_up_; }
  bool escapes() const { return escapes_; }

 private:
  bool gave_up_ = false;
  bool escapes_ = false;
};

// The search sets memory aside for as many uses as it may look at, so the limit
// grows with need: a few dozen uses are the rule, a long function uses a local
// thousands of times.
constexpr unsigned kFirstUses = 128;
constexpr unsigned kMostUses = kFirstUses << 14;

bool NeverEscapes(const llvm::Value* object) {
  for (unsigned uses = kFirstUses; uses <= kMostUses; uses *= 16) {
    EscapeSearch search;
    llvm::PointerMayBeCaptured(object, &search, uses);
    if (search.escapes()) return false;
    if (!search.gave_up()) return true;
  }
  return false;
}

}  // namespace

bool Locals::IsPrivate(const llvm::Value* address) {
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(address, objects);
  if (objects.empty()) return false;
  for (const llvm::Value* object : objects) {
    if (!IsPrivateObject(object)) return false;
  }
  return true;
}

bool Locals::IsPrivateObject(const llvm::Value* object) {
  if (IsConstantGlobal(object)) return true;
  const auto* argument = llvm::dyn_cast<llvm::Argument>(object);
  const bool by_value = argument != nullptr && argument->hasByValAttr();
  if (!llvm::isa<llvm::AllocaInst>(object) && !by_value) return false;

  auto [entry, fresh] = known_.try_emplace(object, false);
  if (fresh) entry->second = NeverEscapes(object);
  return entry->second;
}

}  // namespace fairlead::pass
