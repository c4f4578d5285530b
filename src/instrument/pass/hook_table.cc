#include "instrument/pass/hook_table.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "instrument/pass/record_writer.h"

namespace fairlead::pass {
namespace {

using namespace llvm;

Instruction* WhenUnlikely(Value* condition, Instruction* before) {
  MDNode* weights =
      MDBuilder(before->getContext()).createUnlikelyBranchWeights();
  return SplitBlockAndInsertIfThen(condition, before, /*Unreachable=*/false,
                                   weights);
}

}  // namespace

HookTable::HookTable(Module& module) {
  const auto count = static_cast<unsigned>(Hook::kCount);
  auto* type = ArrayType::get(PointerType::get(module.getContext(), 0), count);
  table_ = new GlobalVariable(module, type, /*isConstant=*/false,
                              GlobalValue::LinkOnceODRLinkage,
                              Constant::getNullValue(type), "__fl_hooks");
  table_->setExternallyInitialized(true);
  MakeShared(*table_, nullptr);
}

CallInst* HookTable::Call(IRBuilder<>& at, Hook hook, Type* result,
                          ArrayRef<Value*> arguments) const {
  SmallVector<Type*, 6> types;
  for (Value* argument : arguments) types.push_back(argument->getType());
  auto* type = FunctionType::get(result != nullptr ? result : at.getVoidTy(),
                                 types, /*isVarArg=*/false);
  Constant* slot = ConstantExpr::getInBoundsGetElementPtr(
      at.getInt8Ty(), table_, at.getInt64(static_cast<unsigned>(hook) * 8));
  Value* target = at.CreateLoad(at.getPtrTy(), slot);
  CallInst* call = at.CreateCall(type, target, arguments);
  call->setCallingConv(CallingConv::PreserveMost);
  call->setDoesNotThrow();
  call->addFnAttr(Attribute::Cold);
  return call;
}

Instruction* WhenAnyOf(Value* mode, unsigned bits, Instruction* before) {
  IRBuilder<> at(before);
  Value* set = bits == 0xff ? mode : at.CreateAnd(mode, at.getInt8(bits));
  return WhenUnlikely(at.CreateICmpNE(set, at.getInt8(0)), before);
}

Instruction* WhenNotNull(Value* pointer, Instruction* before) {
  IRBuilder<> at(before);
  return WhenUnlikely(at.CreateIsNotNull(pointer), before);
}

Instruction* BehindCall(CallBase& call) {
  if (call.isMustTailCall() || call.doesNotReturn()) return nullptr;
  if (auto* invoke = dyn_cast<InvokeInst>(&call)) {
    BasicBlock* behind =
        SplitEdge(invoke->getParent(), invoke->getNormalDest());
    return &*behind->getFirstInsertionPt();
  }
  return call.isTerminator() ? nullptr : call.getNextNonDebugInstruction();
}

Value* FieldOf(IRBuilder<>& at, Value* base, uint64_t offset) {
  return at.CreateConstInBoundsGEP1_64(at.getInt8Ty(), base, offset);
}

Value* LoadMode(IRBuilder<>& at, Constant* mode) {
  return at.CreateLoad(at.getInt8Ty(), mode, "fl.mode");
}

Value* LoadModes(IRBuilder<>& at, ArrayRef<Constant*> modes) {
  Value* any = LoadMode(at, modes.front());
  for (Constant* mode : modes.drop_front()) {
    any = at.CreateOr(any, LoadMode(at, mode));
  }
  return any;
}

}  // namespace fairlead::pass
