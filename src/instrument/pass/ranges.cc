#include "instrument/pass/ranges.h"

#include <llvm/IR/Module.h>

namespace fairlead::pass {
namespace {

using namespace llvm;

Value* CallLibrary(IRBuilder<>& at, StringRef name, ArrayRef<Value*> args) {
  Module* module = at.GetInsertBlock()->getModule();
  SmallVector<Type*, 2> types;
  for (Value* arg : args) types.push_back(arg->getType());
  FunctionCallee function = module->getOrInsertFunction(
      name, FunctionType::get(at.getInt64Ty(), types, false));
  return at.CreateCall(function, args);
}

Value* BytesOf(IRBuilder<>& at, const Site& site) {
  const auto word = [&](Value* value) {
    return at.CreateZExtOrTrunc(value, at.getInt64Ty());
  };
  switch (site.length.rule) {
    case Length::Rule::kFixed:
      return at.getInt64(site.size);
    case Length::Rule::kValue:
      return word(site.length.a);
    case Length::Rule::kProduct:
      return at.CreateMul(word(site.length.a), word(site.length.b));
    case Length::Rule::kText:
      return at.CreateAdd(CallLibrary(at, "strlen", {site.length.a}),
                          at.getInt64(1));
    case Length::Rule::kBoundedText:
      return CallLibrary(at, "strnlen", {site.length.a, word(site.length.b)});
  }
  return at.getInt64(0);
}

Value* AddressOf(IRBuilder<>& at, const Site& site) {
  return site.address != nullptr ? site.address
                                 : ConstantPointerNull::get(at.getPtrTy());
}

}  // namespace

void InstrumentRange(const Site& site, const HookTable& hooks,
                     const Frame& frame) {
  auto& call = *cast<CallBase>(site.at);
  IRBuilder<> at(&call);
  Value* mode = LoadMode(at, site.mode);

  IRBuilder<> before(
      WhenAnyOf(mode, abi::kModeBefore | abi::kModeCount, &call));
  before.SetCurrentDebugLocation(call.getDebugLoc());
  hooks.Call(before, Hook::before_range, nullptr,
             {site.record, AddressOf(before, site), BytesOf(before, site),
              frame.InstructionsAt(before, &call)});

  Instruction* next = BehindCall(call);
  if (next == nullptr) return;
  IRBuilder<> after(WhenAnyOf(mode, abi::kModeAfter, next));
  after.SetCurrentDebugLocation(call.getDebugLoc());
  hooks.Call(after, Hook::after_range, nullptr,
             {site.record, AddressOf(after, site), BytesOf(after, site),
              frame.InstructionsAt(after, &call)});
}

}  // namespace fairlead::pass
