#include "instrument/pass/silent_calls.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/InlineCost.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace fairlead::pass {
namespace {

using namespace llvm;

// Instructions as the front end writes them, of which locals are half.
constexpr unsigned kLargestSmall = 24;
// Calls in what is written in place are looked at again, so many times over.
constexpr unsigned kDeepest = 6;
// A body that has become so long takes no more.
constexpr unsigned kLongest = 2000;

}  // namespace

bool SilentFunctions::IsSmall(const Function& function) {
  const auto it = small_.find(&function);
  if (it == small_.end()) return false;
  if (it->second == kUnknown) {
    const bool fits =
        function.getInstructionCount() <= kLargestSmall &&
        !function.hasOptNone() && !function.isVarArg() &&
        !function.isInterposable() &&
        !function.hasFnAttribute(Attribute::NoInline) &&
        isInlineViable(const_cast<Function&>(function)).isSuccess();
    it->second = fits ? kSmall : kOther;
  }
  return it->second == kSmall;
}

void SilentFunctions::WriteInto(Function& body) {
  SmallVector<std::pair<CallBase*, unsigned>, 16> calls;
  const auto note = [&](CallBase& call, unsigned depth) {
    const Function* callee = call.getCalledFunction();
    if (callee != nullptr && IsSmall(*callee)) calls.push_back({&call, depth});
  };
  unsigned length = 0;
  for (Instruction& instruction : instructions(body)) {
    ++length;
    if (auto* call = dyn_cast<CallBase>(&instruction)) note(*call, 0);
  }
  while (!calls.empty() && length < kLongest) {
    const auto [call, depth] = calls.pop_back_val();
    length += call->getCalledFunction()->getInstructionCount();
    InlineFunctionInfo info;
    if (!InlineFunction(*call, info, /*MergeAttributes=*/false,
                        /*CalleeAAR=*/nullptr, /*InsertLifetime=*/false)
             .isSuccess()) {
      continue;
    }
    if (depth == kDeepest) continue;
    for (CallBase* inner : info.InlinedCallSites) note(*inner, depth + 1);
  }
}

}  // namespace fairlead::pass
