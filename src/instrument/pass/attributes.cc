#include "instrument/pass/attributes.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/TargetParser/Triple.h>

namespace fairlead::pass {
namespace {

using namespace llvm;

constexpr Attribute::AttrKind kFalsified[] = {
    Attribute::Memory, Attribute::NoSync, Attribute::NoFree,
    Attribute::Speculatable};

// Marks adopted functions for the rest of the pass.
constexpr char kAdopted[] = "fairlead-adopted";

bool IsLibraryFunction(const Function& function,
                       const TargetLibraryInfoImpl& library) {
  LibFunc known;
  return function.isDeclaration() &&
         library.getLibFunc(function.getName(), known);
}

}  // namespace

void RemoveFalsifiedAttributes(Module& module) {
  const TargetLibraryInfoImpl library(Triple(module.getTargetTriple()));
  const auto keeps = [&](const Function* function) {
    return function != nullptr &&
           (function->isIntrinsic() || IsLibraryFunction(*function, library));
  };
  for (Function& function : module) {
    if (keeps(&function)) continue;
    for (Attribute::AttrKind kind : kFalsified) function.removeFnAttr(kind);
    for (Instruction& instruction : instructions(function)) {
      auto* call = dyn_cast<CallBase>(&instruction);
      if (call == nullptr || call->isInlineAsm() ||
          keeps(call->getCalledFunction())) {
        continue;
      }
      for (Attribute::AttrKind kind : kFalsified) call->removeFnAttr(kind);
    }
  }
}

bool IsLibraryTemplate(const Function& function) {
  // C's extern inline may differ from what it stands for.
  return function.hasFnAttribute(kAdopted) ||
         (function.hasAvailableExternallyLinkage() &&
          function.getName().starts_with("_ZN"));
}

void AdoptLibraryTemplates(Module& module) {
  for (Function& function : module) {
    if (!IsLibraryTemplate(function)) continue;
    function.addFnAttr(kAdopted);
    function.setLinkage(GlobalValue::LinkOnceODRLinkage);
    function.setVisibility(GlobalValue::HiddenVisibility);
    function.setDSOLocal(true);
    function.setComdat(module.getOrInsertComdat(function.getName()));
  }
}

}  // namespace fairlead::pass
