#include "instrument/pass/copy_function.h"

#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace fairlead::pass {

using namespace llvm;

Function* CopyFunction(Function& function, const Twine& name) {
  Module& module = *function.getParent();
  auto* copy =
      Function::Create(function.getFunctionType(), GlobalValue::InternalLinkage,
                       function.getAddressSpace(), name, &module);
  copy->copyAttributesFrom(&function);
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setVisibility(GlobalValue::DefaultVisibility);
  copy->setComdat(nullptr);
  copy->setIsNewDbgInfoFormat(function.IsNewDbgInfoFormat);

  ValueToValueMapTy values;
  for (auto [from, to] : zip(function.args(), copy->args())) {
    to.setName(from.getName());
    values[&from] = &to;
  }
  for (BasicBlock& block : function) {
    values[&block] = CloneBasicBlock(&block, values, "", copy);
  }
  copy->setSubprogram(function.getSubprogram());
  const RemapFlags flags = RF_NoModuleLevelChanges | RF_IgnoreMissingLocals;
  for (BasicBlock& block : *copy) {
    for (Instruction& instruction : block) {
      RemapInstruction(&instruction, values, flags);
      RemapDbgRecordRange(&module, instruction.getDbgRecordRange(), values,
                          flags);
    }
  }
  return copy;
}

}  // namespace fairlead::pass
