#include "instrument/pass/copy_function.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace fairlead::pass {
namespace {

using namespace llvm;

// Debug information of one function, written again for its copy: the function
// itself, its lexical blocks, variables and labels. Types and files are shared.
class DebugCopy {
 public:
  explicit DebugCopy(DISubprogram* from) : from_(from) {
    if (from == nullptr) return;
    auto copy = from->clone();
    // Variables of the original; those of the copy hang on its instructions.
    copy->replaceRetainedNodes(MDTuple::get(from->getContext(), {}));
    to_ = MDNode::replaceWithDistinct(std::move(copy));
  }

  DISubprogram* subprogram() const { return to_; }

  DebugLoc Place(const DebugLoc& place) {
    if (!place || to_ == nullptr) return place;
    return DILocation::get(place->getContext(), place.getLine(), place.getCol(),
                           Scope(place->getScope()), place.getInlinedAt(),
                           place->isImplicitCode());
  }

  DILocalVariable* Variable(DILocalVariable* variable) {
    if (to_ == nullptr) return variable;
    DILocalVariable*& known = variables_[variable];
    if (known == nullptr) {
      known = DILocalVariable::get(
          variable->getContext(), Scope(variable->getScope()),
          variable->getName(), variable->getFile(), variable->getLine(),
          variable->getType(), variable->getArg(), variable->getFlags(),
          variable->getAlignInBits(), variable->getAnnotations());
    }
    return known;
  }

  DILabel* Label(DILabel* label) {
    if (to_ == nullptr) return label;
    return DILabel::get(label->getContext(), Scope(label->getScope()),
                        label->getName(), label->getFile(), label->getLine());
  }

 private:
  DILocalScope* Scope(DILocalScope* scope) {
    if (scope == from_) return to_;
    DILocalScope*& known = scopes_[scope];
    if (known != nullptr) return known;
    DILocalScope* copy = scope;
    if (auto* block = dyn_cast<DILexicalBlock>(scope)) {
      copy = DILexicalBlock::getDistinct(
          scope->getContext(), Scope(block->getScope()), block->getFile(),
          block->getLine(), block->getColumn());
    } else if (auto* file = dyn_cast<DILexicalBlockFile>(scope)) {
      copy =
          DILexicalBlockFile::get(scope->getContext(), Scope(file->getScope()),
                                  file->getFile(), file->getDiscriminator());
    }
    return scopes_[scope] = copy;
  }

  DISubprogram* from_;
  DISubprogram* to_ = nullptr;
  DenseMap<DILocalScope*, DILocalScope*> scopes_;
  DenseMap<DILocalVariable*, DILocalVariable*> variables_;
};

void CopyRecords(Instruction& instruction, DebugCopy& debug) {
  for (DbgRecord& record : instruction.getDbgRecordRange()) {
    record.setDebugLoc(debug.Place(record.getDebugLoc()));
    if (auto* value = dyn_cast<DbgVariableRecord>(&record)) {
      value->setVariable(debug.Variable(value->getVariable()));
    } else if (auto* label = dyn_cast<DbgLabelRecord>(&record)) {
      label->setLabel(debug.Label(label->getLabel()));
    }
  }
  if (auto* variable = dyn_cast<DbgVariableIntrinsic>(&instruction)) {
    variable->setVariable(debug.Variable(variable->getVariable()));
  } else if (auto* label = dyn_cast<DbgLabelInst>(&instruction)) {
    label->setArgOperand(0,
                         MetadataAsValue::get(label->getContext(),
                                              debug.Label(label->getLabel())));
  }
}

}  // namespace

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
  DebugCopy debug(function.getSubprogram());
  copy->setSubprogram(debug.subprogram());
  DenseMap<DIAssignID*, DIAssignID*> assignments;
  const RemapFlags flags = RF_NoModuleLevelChanges | RF_IgnoreMissingLocals;
  for (BasicBlock& block : *copy) {
    for (Instruction& instruction : block) {
      RemapInstruction(&instruction, values, flags);
      RemapDbgRecordRange(&module, instruction.getDbgRecordRange(), values,
                          flags);
      instruction.setDebugLoc(debug.Place(instruction.getDebugLoc()));
      CopyRecords(instruction, debug);
      // Stores and the variables they assign are paired by number.
      at::remapAssignID(assignments, instruction);
      // Loops remember where they stand.
      updateLoopMetadataDebugLocations(instruction, [&](Metadata* node) {
        auto* place = dyn_cast_or_null<DILocation>(node);
        return place != nullptr ? debug.Place(DebugLoc(place)).get() : node;
      });
    }
  }
  return copy;
}

}  // namespace fairlead::pass
