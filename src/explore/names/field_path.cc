#include "explore/names/field_path.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "abi/site.h"

namespace fairlead::explore {
namespace {

using trace::BaseName;
using trace::FieldName;
using trace::TypeName;

constexpr int kMaxDepth = 16;
constexpr size_t kMaxParts = 256;  // of one type that are looked at

const TypeName* Find(uint64_t id, const Types& types) {
  const auto found = types.find(id);
  return found == types.end() ? nullptr : &found->second;
}

bool IsLibrary(const TypeName& type) {
  return (type.flags & abi::kTypeLibrary) != 0;
}

std::string Joined(const std::string& name, const std::string& member) {
  if (member.empty() || member[0] == '[') return name + member;
  return name.empty() ? member : fmt::format("{}.{}", name, member);
}

FieldPath PathAt(const TypeName& type, uint64_t offset, uint64_t access_bytes,
                 const Types& types, int depth);

FieldPath PathIn(const FieldName& field, uint64_t inside, uint64_t access_bytes,
                 const Types& types, int depth) {
  FieldPath path = {.text = field.name,
                    .offset = field.offset,
                    .size = field.size,
                    .type = field.type,
                    .lock = (field.flags & abi::kFieldLock) != 0};
  const TypeName* type = Find(field.type, types);
  uint64_t element = 0;  // bytes
  if ((field.flags & abi::kFieldArray) != 0) {
    element = type != nullptr ? type->size : access_bytes;
  }
  if (element != 0 && field.size % element == 0) {
    path.text += fmt::format("[{}]", inside / element);
    path.offset += inside / element * element;
    path.size = element;
    inside %= element;
  }
  path.library = type != nullptr && IsLibrary(*type);
  if (type == nullptr || path.lock || path.library) return path;
  FieldPath rest = PathAt(*type, inside, access_bytes, types, depth + 1);
  if (rest.text.empty()) return path;
  rest.text = Joined(path.text, rest.text);
  rest.offset += path.offset;
  return rest;
}

FieldPath PathAt(const TypeName& type, uint64_t offset, uint64_t access_bytes,
                 const Types& types, int depth) {
  if (depth > kMaxDepth) return {};
  if (const FieldName* field = type.FieldAt(offset)) {
    return PathIn(*field, offset - field->offset, access_bytes, types, depth);
  }
  for (const BaseName& each : type.bases) {
    const TypeName* base = Find(each.type, types);
    if (base == nullptr || (each.flags & abi::kBaseVirtual) != 0 ||
        offset < each.offset || offset - each.offset >= base->size) {
      continue;
    }
    FieldPath path =
        PathAt(*base, offset - each.offset, access_bytes, types, depth + 1);
    path.offset += each.offset;
    if (!path.text.empty()) return path;
  }
  return {};
}

}  // namespace

FieldPath FieldPathAt(const TypeName& type, uint64_t offset,
                      uint64_t access_bytes, const Types& types) {
  return PathAt(type, offset, access_bytes, types, 0);
}

bool FindPart(uint64_t outer, uint64_t inner, const Types& types,
              uint64_t& offset) {
  struct Part {
    uint64_t type;
    uint64_t offset;
  };
  std::vector<Part> parts = {{outer, 0}};
  bool found = false;
  for (size_t i = 0; i < parts.size() && i < kMaxParts; ++i) {
    const Part part = parts[i];
    if (part.type == inner) {
      if (found && part.offset != offset) return false;
      found = true;
      offset = part.offset;
    }
    const TypeName* type = Find(part.type, types);
    if (type == nullptr) continue;
    for (const FieldName& field : type->fields) {
      if (field.type != 0 && (field.flags & abi::kFieldArray) == 0) {
        parts.push_back({field.type, part.offset + field.offset});
      }
    }
    for (const BaseName& base : type->bases) {
      if ((base.flags & abi::kBaseVirtual) != 0) continue;
      parts.push_back({base.type, part.offset + base.offset});
    }
  }
  return found;
}

std::string ShortTypeName(const TypeName& type) {
  return type.name.substr(0, type.name.find('<'));
}

}  // namespace fairlead::explore
