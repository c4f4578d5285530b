#include "instrument/pass/counts.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IntrinsicInst.h>

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

// A call and its return that must follow at once are never cut.
constexpr unsigned kMostTogether = abi::kMostBehind - 2;

class Planner {
 public:
  Planner(Sites& sites, Locals& locals) : locals_(locals) {
    for (Site& site : sites) sites_[site.at].push_back(&site);
  }

  void Plan(BasicBlock& block, Instruction* begin) {
    begin_ = begin;
    // Nothing may stand between such a call and the return.
    const Instruction* tail = block.getTerminatingMustTailCall();
    bool in_tail = false;
    for (Instruction& instruction : block) {
      if (count_ == kMostTogether && !in_tail) Cut(&instruction);
      in_tail |= &instruction == tail;
      if (Counts(instruction, locals_)) ++count_;
      const auto here = sites_.find(&instruction);
      if (here == sites_.end()) continue;
      bool followed = false;
      for (Site* site : here->second) {
        open_.push_back({site, count_});
        followed |= IsCallSite(*site);
      }
      if (followed && !in_tail && !instruction.isTerminator()) {
        Cut(instruction.getNextNode());
      }
    }
    Cut(nullptr);
  }

  Stretches stretches;

 private:
  // The stretch ends; another begins at `next`.
  void Cut(Instruction* next) {
    for (const auto& [site, count] : open_) site->behind = count_ - count;
    open_.clear();
    if (count_ != 0) stretches.push_back({begin_, count_});
    count_ = 0;
    // Locals of a fixed size will be moved to the top of their block.
    while (isa_and_nonnull<AllocaInst>(next)) next = next->getNextNode();
    begin_ = next;
  }

  Locals& locals_;
  DenseMap<const Instruction*, SmallVector<Site*, 1>> sites_;
  SmallVector<std::pair<Site*, unsigned>, 16> open_;
  Instruction* begin_ = nullptr;
  unsigned count_ = 0;
};

}  // namespace

Stretches PlanCounts(Function& function, Sites& sites, Locals& locals) {
  Planner planner(sites, locals);
  for (BasicBlock& block : function) {
    if (&block == &function.getEntryBlock()) {
      planner.Plan(block, nullptr);
      continue;
    }
    const BasicBlock::iterator place = block.getFirstInsertionPt();
    if (place != block.end()) planner.Plan(block, &*place);
  }
  return std::move(planner.stretches);
}

}  // namespace fairlead::pass
