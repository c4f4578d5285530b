#include "instrument/pass/leaf_call.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "instrument/pass/blocks.h"

namespace fairlead::pass {
namespace {

using namespace llvm;

// Instructions, those on locals included, of a body that is written in place.
constexpr unsigned kTiny = 32;

bool IsTiny(const Function& body) {
  unsigned count = 0;
  for (const Instruction& instruction : instructions(body)) {
    if (instruction.isDebugOrPseudoInst()) continue;
    if (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction)) {
      return false;
    }
    if (++count > kTiny) return false;
  }
  return true;
}

}  // namespace

void SplitLeafCall(CallInst& call, const IdleCopies::Leaf& leaf,
                   Value* functions) {
  IRBuilder<> at(&call);
  Value* any = LoadModes(at, PlacesOf(at, functions, leaf.asked));
  Instruction *quiet = nullptr, *told = nullptr;
  SplitBlockAndInsertIfThenElse(
      at.CreateICmpEQ(any, at.getInt8(0)), &call, &quiet, &told,
      MDBuilder(call.getContext()).createLikelyBranchWeights());
  auto* alone = cast<CallInst>(call.clone());
  alone->setCalledFunction(leaf.idle);
  alone->insertBefore(quiet);
  BasicBlock* join = call.getParent();
  call.moveBefore(told);
  if (!call.getType()->isVoidTy()) {
    IRBuilder<> joined(join, join->begin());
    PHINode* result = joined.CreatePHI(call.getType(), 2);
    call.replaceAllUsesWith(result);
    result->addIncoming(alone, quiet->getParent());
    result->addIncoming(&call, told->getParent());
  }
  // Code without a place in the source cannot be taken over by a function that
  // has one.
  const bool placed =
      alone->getDebugLoc() || leaf.idle->getSubprogram() == nullptr;
  if (placed && IsTiny(*leaf.idle)) {
    InlineFunctionInfo info;
    InlineFunction(*alone, info);
  } else {
    alone->setIsNoInline();
  }
}

}  // namespace fairlead::pass
