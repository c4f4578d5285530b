#include "instrument/pass/feeds.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "abi/site.h"

namespace fairlead::pass {
namespace {

using namespace llvm;

// Enough for a statement of any size that people write; a bound because one
// local may be read all over a long function.
constexpr size_t kMostValues = 64;

class FeedWalk {
 public:
  explicit FeedWalk(Locals& locals) : locals_(locals) {}

  uint32_t Run(const Value* loaded) {
    values_.insert(loaded);
    for (size_t i = 0; i < values_.size() && i < kMostValues; ++i) {
      for (const Use& use : values_[i]->uses()) Visit(use);
    }
    return feeds_;
  }

 private:
  void Visit(const Use& use) {
    const auto* user = dyn_cast<Instruction>(use.getUser());
    if (user == nullptr) return;
    switch (user->getOpcode()) {
      case Instruction::Load:
        feeds_ |= abi::kSiteFeedsAddress;
        return;
      case Instruction::Store:
        VisitStore(*cast<StoreInst>(user), use);
        return;
      case Instruction::AtomicRMW:
      case Instruction::AtomicCmpXchg:
        if (use.getOperandNo() == 0) feeds_ |= abi::kSiteFeedsAddress;
        return;
      case Instruction::GetElementPtr:
        if (use.getOperandNo() != 0) feeds_ |= abi::kSiteFeedsIndex;
        values_.insert(user);
        return;
      case Instruction::Br:
      case Instruction::Switch:
        feeds_ |= abi::kSiteFeedsBranch;
        return;
      case Instruction::Call:
      case Instruction::Invoke:
        VisitCall(*cast<CallBase>(user), use);
        return;
      case Instruction::Ret:
      case Instruction::Unreachable:
        return;
      default:
        values_.insert(user);  // arithmetic, casts, comparisons, phis, selects
    }
  }

  // A value parked in a local comes back wherever the local is read.
  void VisitStore(const StoreInst& store, const Use& use) {
    if (use.getOperandNo() == 1) {
      feeds_ |= abi::kSiteFeedsAddress;
      return;
    }
    const auto* local = dyn_cast<AllocaInst>(store.getPointerOperand());
    if (local == nullptr || !locals_.IsPrivate(local)) return;
    for (const User* user : local->users()) {
      if (isa<LoadInst>(user)) values_.insert(user);
    }
  }

  void VisitCall(const CallBase& call, const Use& use) {
    if (call.isCallee(&use)) {
      feeds_ |= abi::kSiteFeedsAddress | abi::kSiteFeedsCall;
    } else if (isa<AnyMemIntrinsic>(call)) {
      feeds_ |= use.get()->getType()->isPointerTy() ? abi::kSiteFeedsAddress
                                                    : abi::kSiteFeedsIndex;
    } else if (isa<IntrinsicInst>(call)) {
      values_.insert(&call);  // min, max, abs, expect…
    } else {
      feeds_ |= abi::kSiteFeedsCall;
    }
  }

  Locals& locals_;
  SetVector<const Value*> values_;
  uint32_t feeds_ = 0;
};

}  // namespace

uint32_t FeedsOf(const llvm::Value* loaded, Locals& locals) {
  return FeedWalk(locals).Run(loaded);
}

}  // namespace fairlead::pass
