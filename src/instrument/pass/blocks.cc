#include "instrument/pass/blocks.h"

#include <llvm/IR/Constants.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace fairlead::pass {

using namespace llvm;

Instruction* BehindCall(CallBase& call) {
  if (call.isMustTailCall() || call.doesNotReturn()) return nullptr;
  if (auto* invoke = dyn_cast<InvokeInst>(&call)) {
    BasicBlock* behind =
        SplitEdge(invoke->getParent(), invoke->getNormalDest());
    return &*behind->getFirstInsertionPt();
  }
  return call.isTerminator() ? nullptr : call.getNextNonDebugInstruction();
}

Instruction* BehindStaticLocals(BasicBlock& entry) {
  SmallVector<AllocaInst*, 16> locals;
  for (Instruction& instruction : entry) {
    auto* local = dyn_cast<AllocaInst>(&instruction);
    if (local != nullptr && isa<ConstantInt>(local->getArraySize())) {
      locals.push_back(local);
    }
  }
  for (AllocaInst* local : reverse(locals)) {
    local->moveBefore(entry, entry.getFirstInsertionPt());
  }
  return &*entry.getFirstNonPHIOrDbgOrAlloca();
}

Value* FieldOf(IRBuilder<>& at, Value* base, uint64_t offset) {
  return at.CreateConstInBoundsGEP1_64(at.getInt8Ty(), base, offset);
}

SmallVector<Value*, 4> PlacesOf(IRBuilder<>& at, Value* base,
                                ArrayRef<uint64_t> offsets) {
  SmallVector<Value*, 4> places;
  for (const uint64_t offset : offsets) {
    places.push_back(FieldOf(at, base, offset));
  }
  return places;
}

Value* LoadModes(IRBuilder<>& at, ArrayRef<Value*> modes) {
  const auto load = [&](Value* mode) {
    return at.CreateLoad(at.getInt8Ty(), mode, "fl.mode");
  };
  Value* any = load(modes.front());
  for (Value* mode : modes.drop_front()) any = at.CreateOr(any, load(mode));
  return any;
}

}  // namespace fairlead::pass
