#include "analysis/asset/layout.h"

#include <algorithm>

namespace fairlead::analysis::asset {
namespace {

// Tables come from the program's file; bases of bases end somewhere.
constexpr int kMaxDepth = 16;

constexpr uint32_t kNoLocation =
    abi::kFieldConst | abi::kFieldLock | abi::kFieldReference;

bool IsLeftOut(const trace::FieldName& field, const trace::TypeName* type) {
  if (field.name.empty() || field.name.starts_with("_vptr")) return true;
  if ((field.flags & kNoLocation) != 0) return true;
  // An atomic of one byte is a flag, most often a lock.
  if ((field.flags & abi::kFieldAtomic) != 0 && field.size == 1) return true;
  if (type == nullptr || type->fields.empty()) return false;
  // A struct around a lock is one.
  return std::ranges::all_of(type->fields, [](const trace::FieldName& each) {
    return (each.flags & kNoLocation) != 0;
  });
}

}  // namespace

uint32_t Layout::FieldAt(uint64_t offset) const {
  const auto after = std::ranges::upper_bound(
      fields, offset, {}, [](const Field& field) { return field.offset; });
  if (after == fields.begin()) return kNoField;
  const Field& field = *std::prev(after);
  if (offset >= uint64_t{field.offset} + field.size || field.left_out) {
    return kNoField;
  }
  return static_cast<uint32_t>(std::prev(after) - fields.begin());
}

void Layouts::AddFields(const trace::TypeName& type, uint32_t offset,
                        Layout& layout, int depth) {
  if (depth > kMaxDepth) return;
  for (const trace::BaseName& base : type.bases) {
    if ((base.flags & abi::kBaseVirtual) != 0) continue;
    const trace::TypeName* of = tables_->TypeOf(base.type);
    if (of == nullptr || (of->flags & abi::kTypeLibrary) != 0) continue;
    AddFields(*of, offset + base.offset, layout, depth + 1);
  }
  for (const trace::FieldName& field : type.fields) {
    const trace::TypeName* member =
        field.type == 0 ? nullptr : tables_->TypeOf(field.type);
    layout.fields.push_back(
        {.name = field.name,
         .offset = offset + field.offset,
         .size = field.size,
         .wide = field.type != 0 || (field.flags & abi::kFieldArray) != 0,
         .left_out = IsLeftOut(field, member)});
  }
}

const Layout* Layouts::Of(uint64_t type) {
  if (type == 0 || tables_ == nullptr) return nullptr;
  const auto [at, fresh] = known_.try_emplace(type);
  if (!fresh) return at->second.get();
  const trace::TypeName* name = tables_->TypeOf(type);
  constexpr uint32_t kNoSet =
      abi::kTypeLibrary | abi::kTypeUnion | abi::kTypeLayoutOnly;
  if (name == nullptr || (name->flags & kNoSet) != 0 || name->name.empty()) {
    return nullptr;
  }
  auto layout = std::make_unique<Layout>();
  layout->type = type;
  layout->name = name->name;
  layout->size = name->size;
  AddFields(*name, 0, *layout, 0);
  std::ranges::sort(layout->fields, {}, [](const Field& field) {
    return std::pair(field.offset, field.size);
  });
  layout->is_set = std::ranges::any_of(
      layout->fields, [](const Field& field) { return !field.left_out; });
  return (known_[type] = std::move(layout)).get();
}

void Layouts::NoteMethod(const trace::FunctionName& function) {
  constexpr uint32_t kLifetime =
      abi::kFunctionConstructor | abi::kFunctionDestructor;
  if (function.type == 0 || (function.flags & kLifetime) != 0) return;
  have_methods_.insert(function.type);
}

bool Layouts::IsMethod(const trace::FunctionName& function, uint64_t type) {
  if (function.type != 0) return AreRelated(function.type, type);
  if (HasMethods(type)) return false;
  return std::ranges::any_of(
      function.params, [&](const trace::ParamName& param) {
        return param.pointee != 0 && AreRelated(param.pointee, type);
      });
}

bool Layouts::IsBase(uint64_t base, uint64_t derived) {
  if (base == derived) return base != 0;
  if (base == 0 || derived == 0) return false;
  const uint64_t key = base * 0x9e3779b97f4a7c15 ^ derived;
  if (const auto known = is_base_.find(key); known != is_base_.end()) {
    return known->second;
  }
  const auto bases = BasesOf(derived);
  const bool is = std::ranges::any_of(
      bases, [&](const auto& each) { return each.first == base; });
  is_base_[key] = is;
  return is;
}

void Layouts::AddBases(uint64_t type, uint32_t offset,
                       std::vector<std::pair<uint64_t, uint32_t>>& bases,
                       int depth) {
  const trace::TypeName* name = tables_->TypeOf(type);
  if (name == nullptr || depth > kMaxDepth) return;
  for (const trace::BaseName& base : name->bases) {
    if ((base.flags & abi::kBaseVirtual) != 0) continue;
    bases.push_back({base.type, offset + base.offset});
    AddBases(base.type, offset + base.offset, bases, depth + 1);
  }
}

std::vector<std::pair<uint64_t, uint32_t>> Layouts::BasesOf(uint64_t derived) {
  std::vector<std::pair<uint64_t, uint32_t>> bases;
  if (tables_ != nullptr) AddBases(derived, 0, bases, 0);
  return bases;
}

}  // namespace fairlead::analysis::asset
