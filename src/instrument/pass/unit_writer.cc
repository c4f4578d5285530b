#include "instrument/pass/unit_writer.h"

#include <llvm/IR/Constants.h>
#include <llvm/Support/ErrorHandling.h>

#include <cstring>
#include <limits>

#include "abi/site.h"
#include "abi/version.h"

namespace fairlead::pass {
namespace {

using namespace llvm;
using abi::UnitRecord;

uint32_t Aligned(size_t bytes) {
  constexpr size_t kTo = abi::kUnitAlignment;
  return static_cast<uint32_t>((bytes + kTo - 1) / kTo * kTo);
}

}  // namespace

Ref UnitWriter::Next(Part part) const {
  const size_t at = parts_[static_cast<size_t>(part)].size();
  // Distances have 32 bits; so much source cannot be compiled.
  if (at > std::numeric_limits<int32_t>::max() / 2) {
    report_fatal_error("fairlead: the translation unit has too many sites");
  }
  return {.null = false, .part = part, .offset = static_cast<uint32_t>(at)};
}

Ref UnitWriter::AppendBytes(Part part, const void* record, size_t size) {
  const Ref place = Next(part);
  bytes(part).append(static_cast<const char*>(record), size);
  return place;
}

void UnitWriter::Point(const Ref& record, size_t field, const Ref& target) {
  if (target.null) return;
  Ref at = record;
  at.offset += static_cast<uint32_t>(field);
  pointers_.push_back({at, target});
}

uint32_t UnitWriter::Offset(const Ref& place) const {
  return begins_[static_cast<size_t>(place.part)] + place.offset;
}

GlobalVariable* UnitWriter::Finish(Module& module) {
  // The first part begins at a cache line, where its records want to be.
  uint32_t size = Aligned(sizeof(UnitRecord));
  for (size_t i = 0; i < kParts; ++i) {
    begins_[i] = size;
    size += static_cast<uint32_t>(parts_[i].size() + 7) & ~7u;
  }
  std::string all(Aligned(size), '\0');
  const auto count = [&](Part part, size_t each) {
    return static_cast<uint32_t>(bytes(part).size() / each);
  };
  const auto distance = [&](Part part, size_t field) {
    return abi::Relative<char>{static_cast<int32_t>(
        begins_[static_cast<size_t>(part)] - static_cast<uint32_t>(field))};
  };
  UnitRecord head = {
      .size = static_cast<uint32_t>(all.size()),
      .num_functions = count(Part::kFunctions, sizeof(abi::FunctionRecord)),
      .num_sites = count(Part::kSites, sizeof(abi::SiteRecord)),
      .num_types = count(Part::kTypes, sizeof(abi::TypeRecord)),
      .functions = {distance(Part::kFunctions, offsetof(UnitRecord, functions))
                        .distance},
      .sites = {distance(Part::kSites, offsetof(UnitRecord, sites)).distance},
      .types = {distance(Part::kTypes, offsetof(UnitRecord, types)).distance},
      .reserved = 0};
  std::memcpy(all.data(), &head, sizeof(head));
  for (size_t i = 0; i < kParts; ++i) {
    std::memcpy(all.data() + begins_[i], parts_[i].data(), parts_[i].size());
  }
  for (const Pointer& pointer : pointers_) {
    const uint32_t at = Offset(pointer.field);
    const uint32_t to = Offset(pointer.target);
    const auto way = static_cast<int32_t>(to - at);
    std::memcpy(all.data() + at, &way, sizeof(way));
  }
  Constant* bytes = ConstantDataArray::getString(module.getContext(), all,
                                                 /*AddNull=*/false);
  global_ =
      new GlobalVariable(module, bytes->getType(), /*isConstant=*/false,
                         GlobalValue::InternalLinkage, bytes, "__fl_unit");
  global_->setAlignment(Align(abi::kUnitAlignment));
  global_->setSection(kUnitsSection);
  // A runtime writes to it, out of any optimizer's sight.
  global_->setExternallyInitialized(true);
  KeepSanitizersOff(*global_);
  return global_;
}

Constant* UnitWriter::At(const Ref& record) const {
  LLVMContext& context = global_->getContext();
  return ConstantExpr::getInBoundsGetElementPtr(
      Type::getInt8Ty(context), global_,
      ConstantInt::get(Type::getInt64Ty(context), Offset(record)));
}

void KeepSanitizersOff(GlobalVariable& global) {
  GlobalValue::SanitizerMetadata sanitizers;
  sanitizers.NoAddress = true;
  sanitizers.NoHWAddress = true;
  global.setSanitizerMetadata(sanitizers);
}

std::string SharedName(StringRef name) {
  return ("__fl_" + name + "." + Twine(abi::kAbiVersion)).str();
}

void MakeShared(GlobalObject& global) {
  global.setLinkage(GlobalValue::LinkOnceODRLinkage);
  global.setVisibility(GlobalValue::HiddenVisibility);
  global.setDSOLocal(true);
  global.setComdat(global.getParent()->getOrInsertComdat(global.getName()));
  if (auto* variable = dyn_cast<GlobalVariable>(&global)) {
    KeepSanitizersOff(*variable);
  }
}

}  // namespace fairlead::pass
