#include "instrument/pass/ranges.h"

#include "instrument/pass/blocks.h"

namespace fairlead::pass {
namespace {

using namespace llvm;

// What a length is made of, as a word.
Value* PartOf(IRBuilder<>& at, Value* value) {
  if (value == nullptr) return at.getInt64(0);
  if (value->getType()->isPointerTy()) {
    return at.CreatePtrToInt(value, at.getInt64Ty());
  }
  return at.CreateZExtOrTrunc(value, at.getInt64Ty());
}

void Tell(IRBuilder<>& at, Hook hook, const Site& site, Value* result,
          Stubs& stubs) {
  at.SetCurrentDebugLocation(site.at->getDebugLoc());
  Value* address = result;
  Value* first = result;
  if (result == nullptr) {
    address = site.address;
    first = site.length.a;
  }
  if (address == nullptr) address = ConstantPointerNull::get(at.getPtrTy());
  stubs.Call(at, hook,
             {address, RecordOf(at, site), PartOf(at, first),
              PartOf(at, site.length.b)});
}

}  // namespace

void InstrumentRange(const Site& site, Stubs& stubs) {
  auto& call = *cast<CallBase>(site.at);
  IRBuilder<> before(&call);
  Tell(before, Hook::before_range, site, nullptr, stubs);
  Instruction* next = BehindCall(call);
  if (next == nullptr) return;
  IRBuilder<> after(next);
  Tell(after, Hook::after_range, site, site.at_result ? &call : nullptr, stubs);
}

}  // namespace fairlead::pass
