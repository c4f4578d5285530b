#include "instrument/pass/record_writer.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/xxhash.h>

namespace fairlead::pass {
namespace {

using namespace llvm;

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

}  // namespace

RecordWriter& RecordWriter::At(size_t offset) {
  if (offset_ != offset) report_fatal_error("fairlead: record out of step");
  return *this;
}

RecordWriter& RecordWriter::Int(unsigned bits, uint64_t value) {
  // A value too large for its field is cut here, not by the assembler.
  if (bits < 64) value &= (uint64_t{1} << bits) - 1;
  fields_.push_back({bits, value, nullptr, offset_});
  content_.append(reinterpret_cast<const char*>(&value), bits / 8);
  offset_ += bits / 8;
  return *this;
}

RecordWriter& RecordWriter::Relative(const Ref& target) {
  content_ += '\x1f';
  content_ += target.key;
  content_ += '\x1f';
  return RelativeUnnamed(target.constant);
}

RecordWriter& RecordWriter::RelativeUnnamed(Constant* target) {
  if (target == nullptr) return Int32(0);
  fields_.push_back({32, 0, target, offset_});
  offset_ += 4;
  return *this;
}

std::string RecordWriter::ContentName() const {
  const XXH128_hash_t hash = xxh3_128bits(ArrayRef(
      reinterpret_cast<const uint8_t*>(content_.data()), content_.size()));
  return utohexstr(hash.high64, /*LowerCase=*/true, 16) +
         utohexstr(hash.low64, /*LowerCase=*/true, 16);
}

GlobalVariable* RecordWriter::Finish(const Twine& name, StringRef section,
                                     Comdat* comdat, unsigned alignment) {
  LLVMContext& context = module_.getContext();
  SmallVector<Type*, 32> types;
  for (const Field& field : fields_) {
    types.push_back(Type::getIntNTy(context, field.bits));
  }
  auto* type = StructType::get(context, types, /*isPacked=*/true);
  auto* global =
      new GlobalVariable(module_, type, /*isConstant=*/true,
                         GlobalValue::LinkOnceODRLinkage, nullptr, name);
  SmallVector<Constant*, 32> values;
  for (const Field& field : fields_) {
    values.push_back(
        field.target != nullptr
            ? Distance(field.target, global, field.offset)
            : ConstantInt::get(Type::getIntNTy(context, field.bits),
                               field.value));
  }
  global->setInitializer(ConstantStruct::get(type, values));
  global->setAlignment(Align(alignment));
  if (!section.empty()) global->setSection(section);
  MakeShared(*global, comdat);
  return global;
}

Ref RecordWriter::FinishOnce(StringRef prefix, StringRef section,
                             unsigned alignment) {
  const std::string name = (prefix + ContentName()).str();
  GlobalVariable* global =
      module_.getGlobalVariable(name, /*AllowInternal=*/true);
  if (global == nullptr) global = Finish(name, section, nullptr, alignment);
  return {global, name};
}

void KeepSanitizersOff(GlobalVariable& global) {
  GlobalValue::SanitizerMetadata sanitizers;
  sanitizers.NoAddress = true;
  sanitizers.NoHWAddress = true;
  global.setSanitizerMetadata(sanitizers);
}

void MakeShared(GlobalVariable& global, Comdat* comdat) {
  global.setLinkage(GlobalValue::LinkOnceODRLinkage);
  global.setVisibility(GlobalValue::HiddenVisibility);
  global.setDSOLocal(true);
  Module& module = *global.getParent();
  global.setComdat(
      comdat != nullptr ? comdat : module.getOrInsertComdat(global.getName()));
  KeepSanitizersOff(global);
}

}  // namespace fairlead::pass
