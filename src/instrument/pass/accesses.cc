#include "instrument/pass/accesses.h"

#include "instrument/pass/rmw_value.h"

namespace fairlead::pass {
namespace {

using namespace llvm;

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

// Whether a sanitizer is going to look at the accesses of `function`.
bool IsChecked(const Function& function) {
  for (Attribute::AttrKind kind :
       {Attribute::SanitizeAddress, Attribute::SanitizeHWAddress,
        Attribute::SanitizeMemory, Attribute::SanitizeThread,
        Attribute::SanitizeMemTag}) {
    if (function.hasFnAttribute(kind)) return true;
  }
  return false;
}

bool MakeByStub(const Site& site, Stubs& stubs) {
  Instruction& access = *site.at;
  if (access.isAtomic() || IsChecked(*access.getFunction())) return false;
  IRBuilder<> at(&access);
  if (auto* load = dyn_cast<LoadInst>(&access)) {
    const auto hook = LoaderOf(*load->getType());
    if (!hook) return false;
    Value* value = stubs.Call(at, *hook, {site.address, RecordOf(at, site)});
    if (load->getType()->isPointerTy()) {
      value = at.CreateIntToPtr(value, load->getType());
    }
    value->takeName(load);
    load->replaceAllUsesWith(value);
  } else {
    auto* store = cast<StoreInst>(&access);
    Value* value = store->getValueOperand();
    const auto hook = StorerOf(*value->getType());
    if (!hook) return false;
    if (value->getType()->isPointerTy()) {
      value = at.CreatePtrToInt(value, at.getInt64Ty());
    }
    stubs.Call(at, *hook, {site.address, RecordOf(at, site), value});
  }
  access.eraseFromParent();
  return true;
}

void TellAfter(const Site& site, Value* address, Stubs& stubs) {
  Instruction* access = site.at;
  IRBuilder<> at(access->getNextNode());
  at.SetCurrentDebugLocation(access->getDebugLoc());
  if (auto* rmw = dyn_cast<AtomicRMWInst>(access)) {
    Value* result =
        RmwValue(at, rmw->getOperation(), rmw, rmw->getValOperand());
    stubs.Call(at, Hook::after_rmw,
               {address, RecordOf(at, site), AsWord(at, rmw),
                AsWord(at, result), at.getInt32(1)});
  } else if (auto* cas = dyn_cast<AtomicCmpXchgInst>(access)) {
    Value* old = at.CreateExtractValue(cas, 0);
    Value* success = at.CreateExtractValue(cas, 1);
    Value* now = at.CreateSelect(success, cas->getNewValOperand(), old);
    stubs.Call(at, Hook::after_rmw,
               {address, RecordOf(at, site), AsWord(at, old), AsWord(at, now),
                at.CreateZExt(success, at.getInt32Ty())});
  } else if (isa<FenceInst>(access)) {
    stubs.Call(at, Hook::after, {address, RecordOf(at, site), at.getInt64(0)});
  } else {
    auto* store = dyn_cast<StoreInst>(access);
    Value* value = store != nullptr ? store->getValueOperand() : access;
    stubs.Call(at, Hook::after,
               {address, RecordOf(at, site), AsWord(at, value)});
  }
}

}  // namespace

void InstrumentAccess(const Site& site, Stubs& stubs) {
  const bool plain = isa<LoadInst>(site.at) || isa<StoreInst>(site.at);
  if (plain && MakeByStub(site, stubs)) return;
  IRBuilder<> at(site.at);
  Value* address = site.address != nullptr
                       ? static_cast<Value*>(site.address)
                       : ConstantPointerNull::get(at.getPtrTy());
  stubs.Call(at, Hook::before, {address, RecordOf(at, site)});
  TellAfter(site, address, stubs);
}

}  // namespace fairlead::pass
