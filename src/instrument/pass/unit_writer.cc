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

void UnitWriter::AppendSite(const abi::PackedSite& site) {
  uint8_t packed[abi::kMostPackedBytes];
  AppendBytes(Part::kPackedSites, packed,
              abi::PackSite(last_site_, site, packed));
  last_site_ = site;
  ++num_sites_;
}

std::string UnitWriter::Laid() {
  uint32_t size = Aligned(sizeof(UnitRecord));
  for (size_t i = 0; i < kParts; ++i) {
    begins_[i] = size;
    size += Aligned(parts_[i].size());
  }
  std::string all(size, '\0');
  const auto count = [&](Part part, size_t each) {
    return static_cast<uint32_t>(bytes(part).size() / each);
  };
  const auto distance = [&](Part part, size_t field) {
    return static_cast<int32_t>(begins_[static_cast<size_t>(part)] -
                                static_cast<uint32_t>(field));
  };
  const UnitRecord head = {
      .size = size,
      .num_functions = count(Part::kFunctions, sizeof(abi::FunctionRecord)),
      .num_sites = num_sites_,
      .num_types = count(Part::kTypes, sizeof(abi::TypeRecord)),
      .functions = {distance(Part::kFunctions,
                             offsetof(UnitRecord, functions))},
      .sites = {},
      .types = {distance(Part::kTypes, offsetof(UnitRecord, types))},
      .files = {distance(Part::kFiles, offsetof(UnitRecord, files))},
      .packed = {distance(Part::kPackedSites, offsetof(UnitRecord, packed))},
      .num_packed_bytes = count(Part::kPackedSites, 1),
      .num_files = count(Part::kFiles, sizeof(abi::FileRecord)),
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
  return all;
}

Constant* UnitWriter::WithWayToSites(StringRef all) const {
  constexpr size_t kAt = offsetof(UnitRecord, sites);
  LLVMContext& context = global_->getContext();
  const auto part = [&](StringRef bytes) {
    return ConstantDataArray::getString(context, bytes, /*AddNull=*/false);
  };
  Constant* way = sites_ != nullptr
                      ? Distance(SiteAt(0), global_, kAt)
                      : ConstantInt::get(Type::getInt32Ty(context), 0);
  return ConstantStruct::getAnon(
      {part(all.take_front(kAt)), way, part(all.drop_front(kAt + 4))},
      /*Packed=*/true);
}

GlobalVariable* UnitWriter::Finish(Module& module) {
  LLVMContext& context = module.getContext();
  Type* byte = Type::getInt8Ty(context);
  const std::string all = Laid();
  // A runtime writes to both, out of any optimizer's sight.
  const auto add = [&](Type* type, const char* name, uint64_t alignment) {
    auto* global = new GlobalVariable(module, type, /*isConstant=*/false,
                                      GlobalValue::InternalLinkage,
                                      Constant::getNullValue(type), name);
    global->setAlignment(Align(alignment));
    global->setExternallyInitialized(true);
    KeepSanitizersOff(*global);
    return global;
  };
  if (num_sites_ != 0) {
    constexpr uint64_t kEach = sizeof(abi::SiteRecord);
    sites_ = add(ArrayType::get(byte, (num_sites_ + 1) * kEach), "__fl_sites",
                 kEach);
  }
  auto* type = StructType::get(
      context,
      {ArrayType::get(byte, offsetof(UnitRecord, sites)),
       Type::getInt32Ty(context),
       ArrayType::get(byte, all.size() - offsetof(UnitRecord, types))},
      /*isPacked=*/true);
  global_ = add(type, "__fl_unit", abi::kUnitAlignment);
  global_->setInitializer(WithWayToSites(all));
  global_->setSection(kUnitsSection);
  return global_;
}

// One record ahead of the first stays empty: the code generator asks for the
// plain address of a global again at each use, with a relocation each time,
// but keeps a sum.
uint64_t UnitWriter::PlaceOfSite(uint32_t number) {
  return (uint64_t{number} + 1) * sizeof(abi::SiteRecord);
}

Constant* UnitWriter::SiteAt(uint32_t number) const {
  LLVMContext& context = global_->getContext();
  return ConstantExpr::getInBoundsGetElementPtr(
      Type::getInt8Ty(context), sites_,
      ConstantInt::get(Type::getInt64Ty(context), PlaceOfSite(number)));
}

Constant* Distance(Constant* target, GlobalVariable* holder, size_t offset) {
  LLVMContext& context = holder->getContext();
  Type* word = Type::getInt64Ty(context);
  Constant* from = ConstantExpr::getInBoundsGetElementPtr(
      Type::getInt8Ty(context), holder, ConstantInt::get(word, offset));
  Constant* bytes =
      ConstantExpr::getSub(ConstantExpr::getPtrToInt(target, word),
                           ConstantExpr::getPtrToInt(from, word));
  return ConstantExpr::getTrunc(bytes, Type::getInt32Ty(context));
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
