#include "instrument/pass/ways_out.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "instrument/pass/compiled.h"

namespace fairlead::pass {
namespace {

using namespace llvm;

// How names of functions begin by which inline functions of libraries have
// threads wait for each other.
constexpr StringLiteral kSynchronising[] = {
    "pthread_",
    "sem_",
    "cnd_",
    "mtx_",
    "thrd_",
    "syscall",
    "nanosleep",
    "clock_nanosleep",
    "_ZNSt6thread",
    "_ZNSt18condition_variable",
    "_ZNSt28__atomic_futex_unsigned_base",
};

bool Synchronises(const Function& callee) {
  return callee.isDeclaration() &&
         any_of(kSynchronising, [&](StringRef beginning) {
           return callee.getName().starts_with(beginning);
         });
}

}  // namespace

WaysOut::WaysOut(ArrayRef<Function*> functions) {
  DenseMap<const Function*, SmallVector<const Function*, 4>> callers;
  SmallVector<const Function*, 32> waiting;
  for (const Function* function : functions) {
    bool out = MayBeEnteredByAddress(*function);
    for (const Instruction& instruction : instructions(*function)) {
      const auto* call = dyn_cast<CallBase>(&instruction);
      if (call == nullptr || isa<IntrinsicInst>(call) || call->isInlineAsm()) {
        continue;
      }
      const Function* callee = call->getCalledFunction();
      if (callee != nullptr && Synchronises(*callee)) {
        waiting.push_back(function);
      } else if (callee != nullptr && !callee->isDeclaration()) {
        callers[callee].push_back(function);
      }
      out = out || MayLeaveCompiled(*call);
    }
    if (out) ways_out_.insert(function);
  }
  DenseSet<const Function*> seen;
  while (!waiting.empty()) {
    const Function* function = waiting.pop_back_val();
    if (!seen.insert(function).second) continue;
    ways_out_.insert(function);
    waiting.append(callers[function]);
  }
}

}  // namespace fairlead::pass
