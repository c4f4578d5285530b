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

void Tell(IRBuilder<>& at, Hook hook, const Site& site, Stubs& stubs) {
  at.SetCurrentDebugLocation(site.at->getDebugLoc());
  Value* address = site.address != nullptr
                       ? static_cast<Value*>(site.address)
                       : ConstantPointerNull::get(at.getPtrTy());
  stubs.Call(at, hook,
             {address, RecordOf(at, site), PartOf(at, site.length.a),
              PartOf(at, site.length.b)});
}

}  // namespace

void InstrumentRange(const Site& site, Stubs& stubs) {
  auto& call = *cast<CallBase>(site.at);
  IRBuilder<> before(&call);
  Tell(before, Hook::before_range, site, stubs);
  Instruction* next = BehindCall(call);
  if (next == nullptr) return;
  IRBuilder<> after(next);
  Tell(after, Hook::after_range, site, stubs);
}

}  // namespace fairlead::pass
