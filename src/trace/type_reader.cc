// The types of a unit, and what functions and types consist of.

#include <cstddef>

#include "abi/site.h"
#include "trace/table_reader.h"

namespace fairlead::trace {

uint64_t TableReader::Type(uint64_t field) const {
  const uint64_t type = Follow(field);
  if (type == 0) return 0;
  return image_.At<uint64_t>(type + offsetof(abi::TypeRecord, id)).value_or(0);
}

Status TableReader::Types(uint64_t at, uint64_t count, SiteTable& table) {
  if (!Has<abi::TypeRecord>(at, count)) return Damaged();
  for (; count != 0; --count, at += sizeof(abi::TypeRecord)) {
    const auto record = *image_.At<abi::TypeRecord>(at);
    // Units repeat what they have in common.
    const auto [type, fresh] = table.types.try_emplace(record.id);
    if (!fresh) continue;
    type->second = {
        .id = record.id,
        .name = Text(at + offsetof(abi::TypeRecord, name)),
        .place = {.file = File(at + offsetof(abi::TypeRecord, file)),
                  .line = record.line},
        .size = record.size,
        .flags = record.flags,
        .fields =
            Fields(at + offsetof(abi::TypeRecord, fields), record.num_fields),
        .bases = Bases(at + offsetof(abi::TypeRecord, bases), record.num_bases),
    };
  }
  return {};
}

std::vector<FieldName> TableReader::Fields(uint64_t field, uint64_t count) {
  std::vector<FieldName> fields;
  uint64_t at = Members<abi::FieldRecord>(field, count);
  if (at == 0) return fields;
  for (; count != 0; --count, at += sizeof(abi::FieldRecord)) {
    const auto record = *image_.At<abi::FieldRecord>(at);
    fields.push_back({.name = Text(at + offsetof(abi::FieldRecord, name)),
                      .offset = record.offset,
                      .size = record.size,
                      .type = Type(at + offsetof(abi::FieldRecord, type)),
                      .flags = record.flags});
  }
  return fields;
}

std::vector<BaseName> TableReader::Bases(uint64_t field, uint64_t count) {
  std::vector<BaseName> bases;
  uint64_t at = Members<abi::BaseRecord>(field, count);
  if (at == 0) return bases;
  for (; count != 0; --count, at += sizeof(abi::BaseRecord)) {
    const auto record = *image_.At<abi::BaseRecord>(at);
    bases.push_back({.type = Type(at + offsetof(abi::BaseRecord, type)),
                     .offset = record.offset,
                     .flags = record.flags});
  }
  return bases;
}

std::vector<ParamName> TableReader::Params(uint64_t field, uint64_t count) {
  std::vector<ParamName> params;
  uint64_t at = Members<abi::ParamRecord>(field, count);
  if (at == 0) return params;
  for (; count != 0; --count, at += sizeof(abi::ParamRecord)) {
    const auto record = *image_.At<abi::ParamRecord>(at);
    params.push_back(
        {.index = record.index,
         .pointee = Type(at + offsetof(abi::ParamRecord, pointee))});
  }
  return params;
}

}  // namespace fairlead::trace
