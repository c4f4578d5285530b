#include "instrument/pass/frames.h"

#include "abi/hooks.h"
#include "instrument/pass/blocks.h"
#include "instrument/pass/compiled.h"
#include "instrument/pass/leaf_call.h"

namespace fairlead::pass {
namespace {

using namespace llvm;
using abi::ThreadSlot;

// Where code that must run before the function is left belongs: nothing may
// stand between a musttail call and its return.
Instruction* LastPlaceBefore(Instruction* leave) {
  CallInst* tail = leave->getParent()->getTerminatingMustTailCall();
  return tail != nullptr && isa<ReturnInst>(leave) ? tail : leave;
}

}  // namespace

void Frame::Open(ArrayRef<unsigned> pointer_arguments,
                 const Stretches& stretches) {
  BasicBlock& entry = function_.getEntryBlock();
  IRBuilder<> at(BehindStaticLocals(entry));
  at.SetCurrentDebugLocation(DebugLoc());
  IRBuilder<> top(&entry, entry.begin());
  Value* own =
      top.CreateAlloca(ArrayType::get(top.getInt64Ty(), abi::kOwnSlotBytes / 8),
                       nullptr, "fl.own");
  Value* handed = Handed(at, pointer_arguments);
  Value* self = ConstantPointerNull::get(at.getPtrTy());
  if (MayBeEnteredFromElsewhere(function_)) own_ = own;
  if (MayBeEnteredByAddress(function_)) self = &function_;
  slot_ =
      stubs_.Call(at, Hook::enter, {at.getInt64(record_), own, handed, self});
  slot_->setName("fl.slot");
  state_ = at.CreateLoad(at.getInt64Ty(), slot_, "fl.state");
  for (const Stretch& stretch : stretches) {
    if (stretch.begin == nullptr) {
      Add(at, stretch.count);
      continue;
    }
    IRBuilder<> there(stretch.begin);
    Add(there, stretch.count);
  }
}

Value* Frame::Handed(IRBuilder<>& at, ArrayRef<unsigned> pointer_arguments) {
  PointerType* pointer = at.getPtrTy();
  if (pointer_arguments.empty()) return ConstantPointerNull::get(pointer);
  BasicBlock& entry = function_.getEntryBlock();
  IRBuilder<> top(&entry, entry.begin());
  Value* list =
      top.CreateAlloca(ArrayType::get(pointer, pointer_arguments.size()),
                       nullptr, "fl.pointers");
  for (const auto& [i, number] : enumerate(pointer_arguments)) {
    at.CreateStore(function_.getArg(number),
                   at.CreateConstInBoundsGEP1_64(pointer, list, i));
  }
  return list;
}

void Frame::Add(IRBuilder<>& at, unsigned instructions) {
  Value* total = FieldOf(at, slot_, offsetof(ThreadSlot, instructions));
  at.CreateStore(at.CreateAdd(at.CreateLoad(at.getInt64Ty(), total),
                              at.getInt64(instructions)),
                 total);
}

void Frame::Close(const Sites& sites, IdleCopies* idle) {
  if (slot_ == nullptr) return;
  for (const Site& site : sites) {
    if (!IsCallSite(site)) continue;
    auto* call = dyn_cast<CallInst>(site.at);
    if (idle != nullptr && call != nullptr && !call->isMustTailCall()) {
      const auto leaf = idle->LeafAt(*call);
      if (leaf) {
        SplitLeafCall(*call, *leaf, Functions());
        idle->AddAsked(*call);
      }
    }
    AddCall(site);
  }
  SmallVector<Instruction*, 8> leaves, pads;
  for (BasicBlock& block : function_) {
    Instruction* end = block.getTerminator();
    if (isa<ReturnInst>(end) || isa<ResumeInst>(end)) leaves.push_back(end);
    if (block.isLandingPad()) pads.push_back(&*block.getFirstInsertionPt());
  }
  for (Instruction* pad : pads) TellUnwound(pad);
  for (Instruction* leave : leaves) AddExit(LastPlaceBefore(leave));
}

Value* Frame::Functions() {
  if (functions_ != nullptr) return functions_;
  IRBuilder<> at(cast<Instruction>(slot_));
  at.SetCurrentDebugLocation(DebugLoc());
  return functions_ = at.CreateFreeze(stubs_.functions(), "fl.functions");
}

void Frame::AddCall(const Site& site) {
  auto& call = *cast<CallBase>(site.at);
  IRBuilder<> at(&call);
  at.CreateStore(AddressOf(at, site),
                 FieldOf(at, slot_, offsetof(ThreadSlot, call)));
  if (MayLeaveCompiled(call)) {
    Value* field = Target(at);
    Value* away = at.CreateAnd(at.CreateLoad(at.getInt64Ty(), field),
                               at.getInt64(abi::kAway));
    Value* callee = at.CreatePtrToInt(call.getCalledOperand(), at.getInt64Ty());
    at.CreateStore(at.CreateOr(callee, away), field);
  }
  Restore(call);
}

Value* Frame::Target(IRBuilder<>& at) {
  return FieldOf(at, slot_, offsetof(ThreadSlot, target));
}

void Frame::Restore(CallBase& call) {
  Instruction* next = BehindCall(call);
  if (next == nullptr || isa<UnreachableInst>(next)) return;
  if (call.hasFnAttr(Attribute::ReturnsTwice)) {
    TellUnwound(next);
    return;
  }
  IRBuilder<> at(next);
  at.CreateStore(state_, slot_);
  at.CreateStore(ConstantPointerNull::get(at.getPtrTy()),
                 FieldOf(at, slot_, offsetof(ThreadSlot, call)));
  if (!MayLeaveCompiled(call)) return;
  Value* field = Target(at);
  Value* been =
      at.CreateICmpNE(at.CreateLoad(at.getInt64Ty(), field), at.getInt64(0));
  at.CreateStore(at.CreateSelect(been, at.getInt64(abi::kAway), at.getInt64(0)),
                 field);
}

void Frame::TellUnwound(Instruction* before) {
  IRBuilder<> at(before);
  stubs_.Call(at, Hook::unwound, {at.getInt64(record_), slot_, state_});
}

void Frame::AddExit(Instruction* leave) {
  IRBuilder<> at(leave);
  // Whom a call that ends the function reaches answers to whoever is above.
  if (own_ != nullptr && !isa<CallInst>(leave)) {
    Value* field = Target(at);
    Value* away = at.CreateAnd(at.CreateLoad(at.getInt64Ty(), field),
                               at.getInt64(abi::kAway));
    Value* from = at.CreateLoad(
        at.getInt64Ty(), FieldOf(at, own_, offsetof(ThreadSlot, target)));
    at.CreateStore(at.CreateOr(away, from), field);
  }
  stubs_.Call(at, Hook::exit, {at.getInt64(record_), slot_});
}

}  // namespace fairlead::pass
