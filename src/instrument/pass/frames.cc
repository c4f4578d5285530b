#include "instrument/pass/frames.h"

#include <llvm/IR/IntrinsicInst.h>

#include "abi/hooks.h"
#include "instrument/pass/leaf_call.h"

namespace fairlead::pass {
namespace {

using namespace llvm;

// Whether an instruction counts. What a register machine would not execute
// (addresses, casts, locals, plain jumps) does not.
bool Counts(const Instruction& instruction, Locals& locals) {
  switch (instruction.getOpcode()) {
    case Instruction::Alloca:
    case Instruction::PHI:
    case Instruction::BitCast:
    case Instruction::PtrToInt:
    case Instruction::IntToPtr:
    case Instruction::GetElementPtr:
    case Instruction::Unreachable:
    case Instruction::LandingPad:
      return false;
    case Instruction::Br:
      return cast<BranchInst>(instruction).isConditional();
    case Instruction::Load:
    case Instruction::Store:
      return !locals.IsPrivate(getLoadStorePointerOperand(&instruction));
    case Instruction::Call: {
      const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
      return intrinsic == nullptr || !intrinsic->isAssumeLikeIntrinsic();
    }
    default:
      return true;
  }
}

// Static locals first, so that splitting the entry leaves them static.
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

// Where code that must run before the function is left belongs: nothing may
// stand between a musttail call and its return.
Instruction* LastPlaceBefore(Instruction* leave) {
  CallInst* tail = leave->getParent()->getTerminatingMustTailCall();
  return tail != nullptr && isa<ReturnInst>(leave) ? tail : leave;
}

}  // namespace

void Frame::Open(Locals& locals) {
  AddCounts(locals);
  AddEntry();
}

void Frame::AddCounts(Locals& locals) {
  LLVMContext& context = function_.getContext();
  Type* word = Type::getInt64Ty(context);
  BasicBlock& entry = function_.getEntryBlock();
  Instruction* start = BehindStaticLocals(entry);
  IRBuilder<> top(&entry, entry.begin());
  count_ = top.CreateAlloca(word, nullptr, "fl.count");

  for (BasicBlock& block : function_) {
    unsigned count = 0;
    for (Instruction& instruction : reverse(block)) {
      behind_[&instruction] = count;
      if (Counts(instruction, locals)) ++count;
    }
    if (&block == &entry) {
      IRBuilder<>(start).CreateStore(ConstantInt::get(word, count), count_);
      continue;
    }
    const BasicBlock::iterator place = block.getFirstInsertionPt();
    if (count == 0 || place == block.end()) continue;
    IRBuilder<> at(&block, place);
    at.CreateStore(at.CreateAdd(at.CreateLoad(word, count_),
                                ConstantInt::get(word, count)),
                   count_);
  }
}

void Frame::AddEntry() {
  BasicBlock& entry = function_.getEntryBlock();
  Instruction* start = &*entry.getFirstNonPHIOrDbgOrAlloca();
  IRBuilder<> at(start);
  PointerType* pointer = at.getPtrTy();

  AllocaInst* pointers = nullptr;
  if (!table_.pointer_arguments.empty()) {
    IRBuilder<> top(&entry, entry.begin());
    pointers = top.CreateAlloca(
        ArrayType::get(pointer, table_.pointer_arguments.size()), nullptr,
        "fl.pointers");
  }
  Value* mode = LoadMode(at, table_.mode);
  Instruction* enter =
      WhenAnyOf(mode, abi::kModeContext | abi::kModeEvents, start);
  IRBuilder<> entering(enter);
  for (const auto& [i, number] : enumerate(table_.pointer_arguments)) {
    entering.CreateStore(
        function_.getArg(number),
        entering.CreateConstInBoundsGEP1_64(pointer, pointers, i));
  }
  Value* handed = pointers != nullptr ? static_cast<Value*>(pointers)
                                      : ConstantPointerNull::get(pointer);
  Value* slot =
      hooks_.Call(entering, Hook::enter, pointer, {table_.record, handed});
  Instruction* known = WhenNotNull(slot, enter);
  IRBuilder<> reading(known);
  Value* state = reading.CreateLoad(reading.getInt64Ty(), slot);

  IRBuilder<> joined(&*start->getParent()->begin());
  PHINode* slots = joined.CreatePHI(pointer, 2, "fl.slot");
  PHINode* states = joined.CreatePHI(joined.getInt64Ty(), 2, "fl.state");
  for (BasicBlock* before : predecessors(start->getParent())) {
    const bool entered = before == enter->getParent();
    slots->addIncoming(entered ? slot : ConstantPointerNull::get(pointer),
                       before);
    PHINode* read = nullptr;
    if (entered) {
      IRBuilder<> meeting(&*before->begin());
      read = meeting.CreatePHI(meeting.getInt64Ty(), 2);
      for (BasicBlock* source : predecessors(before)) {
        read->addIncoming(source == known->getParent()
                              ? state
                              : static_cast<Value*>(meeting.getInt64(0)),
                          source);
      }
    }
    states->addIncoming(
        read != nullptr ? static_cast<Value*>(read) : joined.getInt64(0),
        before);
  }
  slot_ = slots;
  state_ = states;
}

Value* Frame::InstructionsAt(IRBuilder<>& builder,
                             const Instruction* at) const {
  if (count_ == nullptr) return builder.getInt64(0);
  Value* count = builder.CreateLoad(builder.getInt64Ty(), count_);
  const unsigned behind = behind_.lookup(at);
  return behind == 0 ? count
                     : builder.CreateSub(count, builder.getInt64(behind));
}

// Adds `count` instructions of this frame to its thread's.
void Frame::Flush(IRBuilder<>& at, Value* count) const {
  Value* total = FieldOf(at, slot_, offsetof(abi::ThreadSlot, instructions));
  at.CreateStore(at.CreateAdd(at.CreateLoad(at.getInt64Ty(), total), count),
                 total);
}

void Frame::Close(const Sites& sites, IdleCopies* idle) {
  if (count_ == nullptr) return;
  for (const Site& site : sites) {
    if (!IsCallSite(site)) continue;
    auto* call = dyn_cast<CallInst>(site.at);
    if (idle != nullptr && call != nullptr && !call->isMustTailCall()) {
      const auto leaf = idle->LeafAt(*call);
      if (leaf) SplitLeafCall(*call, *leaf);
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

void Frame::AddCall(const Site& site) {
  auto& call = *cast<CallBase>(site.at);
  Instruction* place = WhenNotNull(slot_, &call);
  IRBuilder<> at(place);
  at.SetCurrentDebugLocation(call.getDebugLoc());
  at.CreateStore(site.record,
                 FieldOf(at, slot_, offsetof(abi::ThreadSlot, call)));
  Flush(at, InstructionsAt(at, &call));
  at.CreateStore(at.getInt64(behind_.lookup(&call)), count_);
  Restore(call);
}

void Frame::Restore(CallBase& call) {
  Instruction* next = BehindCall(call);
  if (next == nullptr || isa<UnreachableInst>(next)) return;
  if (call.hasFnAttr(Attribute::ReturnsTwice)) {
    TellUnwound(next);
    return;
  }
  IRBuilder<> at(WhenNotNull(slot_, next));
  at.CreateStore(state_, slot_);
  at.CreateStore(ConstantPointerNull::get(at.getPtrTy()),
                 FieldOf(at, slot_, offsetof(abi::ThreadSlot, call)));
}

void Frame::TellUnwound(Instruction* before) {
  IRBuilder<> at(WhenNotNull(slot_, before));
  hooks_.Call(at, Hook::unwound, nullptr, {table_.record, slot_, state_});
}

void Frame::AddExit(Instruction* leave) {
  Instruction* place = WhenNotNull(slot_, leave);
  IRBuilder<> at(place);
  Flush(at, at.CreateLoad(at.getInt64Ty(), count_));
  Value* mode = LoadMode(at, table_.mode);
  IRBuilder<> telling(WhenAnyOf(mode, abi::kModeEvents, place));
  hooks_.Call(telling, Hook::exit, nullptr, {table_.record, slot_});
}

}  // namespace fairlead::pass
