#include "instrument/pass/lines.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace fairlead::pass {
namespace {

using namespace llvm;

// Without its variables, and without a label behind each call.
DISubprogram* Plain(const DISubprogram& subprogram) {
  auto plain = subprogram.cloneWithFlags(subprogram.getFlags() &
                                         ~DINode::FlagAllCallsDescribed);
  plain->replaceRetainedNodes(MDTuple::get(subprogram.getContext(), {}));
  return MDNode::replaceWithDistinct(std::move(plain));
}

// Where `at` is, seen from the function itself.
const DILocation* Plain(const DILocation* at, DISubprogram* function) {
  while (at->getInlinedAt() != nullptr) at = at->getInlinedAt();
  LLVMContext& context = at->getContext();
  DILocalScope* scope = function;
  if (at->getFile() != function->getFile()) {
    scope = DILexicalBlockFile::get(context, function, at->getFile(), 0);
  }
  return DILocation::get(context, at->getLine(), 0, scope);
}

void ForgetVariables(Function& function) {
  for (BasicBlock& block : function) {
    for (Instruction& instruction : make_early_inc_range(block)) {
      instruction.dropDbgRecords();
      instruction.setMetadata(LLVMContext::MD_DIAssignID, nullptr);
      if (isa<DbgInfoIntrinsic>(instruction)) instruction.eraseFromParent();
    }
  }
}

}  // namespace

void KeepLinesOnly(Function& active) {
  ForgetVariables(active);
  const DISubprogram* shared = active.getSubprogram();
  if (shared == nullptr) return;
  DISubprogram* own = Plain(*shared);
  active.setSubprogram(own);
  for (Instruction& instruction : instructions(active)) {
    // Loops remember where they stand.
    instruction.setMetadata(LLVMContext::MD_loop, nullptr);
    const DILocation* at = instruction.getDebugLoc();
    if (at != nullptr) instruction.setDebugLoc(Plain(at, own));
  }
}

}  // namespace fairlead::pass
