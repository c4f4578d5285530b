#include "instrument/pass/bounds.h"

#include <llvm/ADT/SmallVector.h>

namespace fairlead::pass {
namespace {

using namespace llvm;

// Of casts and operations between a load and a comparison. Conditions that
// people write are shorter; longer ones are left to count as waiting.
constexpr size_t kMostValues = 16;

bool IsRead(const Value* value, const AllocaInst& local) {
  while (const auto* cast = dyn_cast<CastInst>(value)) {
    value = cast->getOperand(0);
  }
  const auto* load = dyn_cast<LoadInst>(value);
  return load != nullptr && load->getPointerOperand() == &local;
}

// Whether `value` is what `local` was, changed by one operation.
bool MovesOn(const Value* value, const AllocaInst& local) {
  while (const auto* cast = dyn_cast<CastInst>(value)) {
    value = cast->getOperand(0);
  }
  if (const auto* step = dyn_cast<GetElementPtrInst>(value)) {
    return IsRead(step->getPointerOperand(), local);
  }
  const auto* step = dyn_cast<BinaryOperator>(value);
  return step != nullptr && (IsRead(step->getOperand(0), local) ||
                             IsRead(step->getOperand(1), local));
}

class BoundWalk {
 public:
  BoundWalk(const Loop& loop, Locals& locals) : loop_(loop), locals_(locals) {}

  bool Run(const LoadInst& load) {
    values_.push_back(&load);
    for (size_t i = 0; i < values_.size(); ++i) {
      if (i == kMostValues) return false;
      for (const Use& use : values_[i]->uses()) {
        if (!IsFine(use)) return false;
      }
    }
    return true;
  }

 private:
  bool IsFine(const Use& use) {
    const auto* user = dyn_cast<Instruction>(use.getUser());
    if (user == nullptr || !loop_.contains(user)) return false;
    if (isa<CastInst, BinaryOperator>(user)) {
      values_.push_back(user);
      return true;
    }
    if (isa<CmpInst>(user)) {
      return IsFromCounter(user->getOperand(1 - use.getOperandNo()));
    }
    const auto* store = dyn_cast<StoreInst>(user);
    return store != nullptr && use.getOperandNo() == 0 &&
           IsCounter(store->getPointerOperand());
  }

  // `i`, `i + 1`, `i * i`: a counter, with constants and counters.
  bool IsFromCounter(const Value* value) {
    if (const auto* cast = dyn_cast<CastInst>(value)) {
      return IsFromCounter(cast->getOperand(0));
    }
    if (const auto* step = dyn_cast<BinaryOperator>(value)) {
      return IsFromCounter(step->getOperand(0)) ||
             IsFromCounter(step->getOperand(1));
    }
    const auto* load = dyn_cast<LoadInst>(value);
    return load != nullptr && IsCounter(load->getPointerOperand());
  }

  bool IsCounter(const Value* place) {
    const auto* local = dyn_cast<AllocaInst>(place);
    if (local == nullptr || !locals_.IsPrivate(local)) return false;
    return any_of(local->users(), [&](const User* user) {
      const auto* store = dyn_cast<StoreInst>(user);
      return store != nullptr && store->getPointerOperand() == local &&
             loop_.contains(store) && MovesOn(store->getValueOperand(), *local);
    });
  }

  const Loop& loop_;
  Locals& locals_;
  SmallVector<const Value*, kMostValues> values_;
};

}  // namespace

bool IsBound(const LoadInst& load, const LoopInfo& loops, Locals& locals) {
  if (load.isAtomic() || load.isVolatile()) return false;
  const Loop* loop = loops.getLoopFor(load.getParent());
  return loop != nullptr && BoundWalk(*loop, locals).Run(load);
}

}  // namespace fairlead::pass
