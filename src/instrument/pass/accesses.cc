#include "instrument/pass/accesses.h"

#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "instrument/pass/plain_event.h"
#include "instrument/pass/rmw_value.h"

namespace fairlead::pass {
namespace {

using namespace llvm;

constexpr unsigned kBeforeBits = abi::kModeBefore | abi::kModeCount;

// A value as the 64 bits that events carry.
Value* AsWord(IRBuilder<>& at, Value* value) {
  Type* type = value->getType();
  Type* word = at.getInt64Ty();
  if (type->isPointerTy()) return at.CreatePtrToInt(value, word);
  const unsigned bits = type->getPrimitiveSizeInBits().getKnownMinValue();
  if (type->isFloatingPointTy() && bits <= 64) {
    value = at.CreateBitCast(value, at.getIntNTy(bits));
  }
  if (!value->getType()->isIntegerTy() || bits > 64) return at.getInt64(0);
  return at.CreateZExtOrTrunc(value, word);
}

void TellBefore(const Site& site, Value* mode, Instruction* access,
                const HookTable& hooks, const Frame& frame) {
  IRBuilder<> at(WhenAnyOf(mode, kBeforeBits, access));
  at.SetCurrentDebugLocation(access->getDebugLoc());
  Value* address = site.address != nullptr
                       ? site.address
                       : ConstantPointerNull::get(at.getPtrTy());
  hooks.Call(at, Hook::before, nullptr,
             {site.record, address, frame.InstructionsAt(at, site.at)});
}

void TellAfter(const Site& site, Value* mode, Instruction* access,
               Instruction* next, const HookTable& hooks, const Frame& frame) {
  IRBuilder<> at(WhenAnyOf(mode, abi::kModeAfter, next));
  at.SetCurrentDebugLocation(access->getDebugLoc());
  Value* instructions = frame.InstructionsAt(at, site.at);
  if (auto* rmw = dyn_cast<AtomicRMWInst>(access)) {
    Value* result =
        RmwValue(at, rmw->getOperation(), rmw, rmw->getValOperand());
    hooks.Call(at, Hook::after_rmw, nullptr,
               {site.record, site.address, AsWord(at, rmw), AsWord(at, result),
                at.getInt32(1), instructions});
  } else if (auto* cas = dyn_cast<AtomicCmpXchgInst>(access)) {
    Value* old = at.CreateExtractValue(cas, 0);
    Value* success = at.CreateExtractValue(cas, 1);
    Value* now = at.CreateSelect(success, cas->getNewValOperand(), old);
    hooks.Call(at, Hook::after_rmw, nullptr,
               {site.record, site.address, AsWord(at, old), AsWord(at, now),
                at.CreateZExt(success, at.getInt32Ty()), instructions});
  } else if (isa<FenceInst>(access)) {
    hooks.Call(at, Hook::after, nullptr,
               {site.record, ConstantPointerNull::get(at.getPtrTy()),
                at.getInt64(0), instructions});
  } else {
    auto* store = dyn_cast<StoreInst>(access);
    Value* value = store != nullptr ? store->getValueOperand() : access;
    Value* word = AsWord(at, value);
    if (IsPlain(site, frame)) {
      at.SetInsertPoint(
          TellPlainly(site, word, instructions, frame, &*at.GetInsertPoint()));
      at.SetCurrentDebugLocation(access->getDebugLoc());
    }
    hooks.Call(at, Hook::after, nullptr,
               {site.record, site.address, word, instructions});
  }
}

}  // namespace

void InstrumentAccess(const Site& site, const HookTable& hooks,
                      const Frame& frame) {
  Instruction* idle = site.at;
  IRBuilder<> at(idle);
  Value* mode = LoadMode(at, site.mode);
  Value* active = at.CreateICmpNE(mode, at.getInt8(0));
  Instruction *active_end = nullptr, *idle_end = nullptr;
  SplitBlockAndInsertIfThenElse(
      active, idle, &active_end, &idle_end,
      MDBuilder(idle->getContext()).createUnlikelyBranchWeights());

  Instruction* copy = idle->clone();
  copy->insertBefore(active_end);
  BasicBlock* join = idle->getParent();
  if (!idle->getType()->isVoidTy()) {
    copy->setName(idle->getName());
    PHINode* both = PHINode::Create(idle->getType(), 2, "", join->begin());
    both->takeName(idle);
    idle->replaceAllUsesWith(both);
    both->addIncoming(copy, active_end->getParent());
    both->addIncoming(idle, idle_end->getParent());
  }
  idle->moveBefore(idle_end);
  TellBefore(site, mode, copy, hooks, frame);
  TellAfter(site, mode, copy, active_end, hooks, frame);
}

}  // namespace fairlead::pass
