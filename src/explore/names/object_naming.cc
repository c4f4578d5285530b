#include "explore/names/object_naming.h"

#include <fmt/core.h>
#include <bit>

#include <algorithm>
#include <bit>
#include <iterator>

#include "base/short_name.h"
#include "explore/names/primitives.h"
#include "trace/access.h"

namespace fairlead::explore {
namespace {

using trace::Event;
using trace::ObjectName;

constexpr uint64_t kWord = 8;  // more bytes are a range, not an element

std::string_view FileName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// A namespace without a name says nothing, and takes the room of what does.
std::string WithoutNamespace(std::string name) {
  constexpr std::string_view kUnnamed = "(anonymous namespace)::";
  for (size_t at = 0; (at = name.find(kUnnamed)) != std::string::npos;) {
    name.erase(at, kUnnamed.size());
  }
  return name;
}

}  // namespace

ObjectNaming::ObjectNaming(const trace::Trace& whole, const KnownMemory& memory)
    : whole_(whole), memory_(memory), typed_(whole, memory.blocks) {
  for (const Event& event : whole.events) {
    if (trace::IsAccess(event)) {
      NoteUse(event);
      NoteCapture(event);
    } else {
      NotePrimitive(event);
    }
  }
}

// A lambda keeps the address of a variable that it captures by reference, in a
// member of that name.
void ObjectNaming::NoteCapture(const Event& event) {
  if (!event.instrumented() || trace::Writes(event)) return;
  const auto site = whole_.names.sites.find(event.site);
  if (site == whole_.names.sites.end() || site->second.library) return;
  const auto type = whole_.names.types.find(site->second.type);
  if (type == whole_.names.types.end() || !type->second.name.empty()) return;
  const trace::FieldName* field =
      type->second.FieldAt(site->second.field_offset);
  if (field == nullptr || (field->flags & abi::kFieldReference) == 0) return;
  if (!field->name.empty()) captured_.try_emplace(event.value, field->name);
}

// So that an array of them has elements.
void ObjectNaming::NotePrimitive(const Event& event) {
  const Primitive primitive = PrimitiveOf(event.kind);
  if (primitive.bytes == 0 || event.address == 0) return;
  std::optional<Region> region = BlockAt(event.address);
  if (!region) region = VariableAt(event.address);
  if (!region) return;
  Use& use = uses_[region->first];
  use.own |= !event.has(abi::kFlagLibrary);
  use.sizes.insert(event.has(abi::kFlagShared) ? 56 : primitive.bytes);
}

void ObjectNaming::NoteUse(const Event& event) {
  const bool own = !event.has(abi::kFlagLibrary);
  if (own && IsOnStack(event.address)) {
    functions_.try_emplace(event.address, whole_.names.FunctionOf(event));
    return;
  }
  std::optional<Region> region = BlockAt(event.address);
  if (!region) region = VariableAt(event.address);
  if (!region) return;
  Use& use = uses_[region->first];
  use.own |= own;
  // Others are of ranges, as of strcpy: no elements.
  const bool scalar = event.size <= kWord && std::has_single_bit(event.size);
  if (own && scalar) use.sizes.insert(event.size);
}

std::optional<ObjectNaming::Region> ObjectNaming::BlockAt(
    uint64_t address) const {
  const auto after = memory_.blocks.upper_bound(address);
  if (after == memory_.blocks.begin()) return {};
  const auto& [first, bytes] = *std::prev(after);
  if (address - first >= std::max<uint64_t>(bytes, 1)) return {};
  return Region{.first = first, .size = bytes};
}

std::optional<ObjectNaming::Region> ObjectNaming::VariableAt(
    uint64_t address) const {
  const auto& objects = whole_.names.objects;
  const auto after = objects.upper_bound(address);
  if (after == objects.begin()) return {};
  const auto& [first, object] = *std::prev(after);
  if (address - first >= std::max<uint64_t>(object.size, 1) ||
      memory_.blocks.contains(first)) {
    return {};
  }
  return Region{.first = first,
                .size = object.size,
                .name = WithoutNamespace(object.name)};
}

bool ObjectNaming::IsOnStack(uint64_t address) const {
  const auto after = memory_.stacks.upper_bound(address);
  return after != memory_.stacks.begin() && address < std::prev(after)->second;
}

void ObjectNaming::Expect(uint64_t address, uint64_t) {
  const auto object = typed_.At(address);
  if (object) instances_[object->type].insert(object->base);
}

std::string ObjectNaming::PrefixOf(const TypedObject& object) const {
  const trace::TypeName& type = typed_.TypeOf(object);
  if (const auto variable = VariableAt(object.base)) {
    const uint64_t inside = object.base - variable->first;
    if (inside == 0 && variable->size < 2 * type.size) {
      return variable->name + ".";
    }
    if (type.size != 0 && inside % type.size == 0 &&
        variable->size % type.size == 0) {
      return fmt::format("{}[{}].", variable->name, inside / type.size);
    }
  }
  const auto captured = captured_.find(object.base);
  if (captured != captured_.end()) return captured->second + ".";
  std::string name = ShortTypeName(type);
  if (name.empty()) {
    if (const auto block = BlockAt(object.base)) return BlockName(*block) + ".";
    name = (type.flags & abi::kTypeClass) != 0 ? "lambda" : "struct";
  }
  const auto all = instances_.find(object.type);
  if (all != instances_.end() && all->second.size() > 1) {
    const auto mine = all->second.find(object.base);
    if (mine != all->second.end()) {
      name += fmt::format("#{}", std::distance(all->second.begin(), mine) + 1);
    }
  }
  return name + "::";
}

ObjectName ObjectNaming::InStruct(const TypedObject& object, uint64_t address,
                                  uint64_t bytes) const {
  const std::string prefix = PrefixOf(object);
  const FieldPath path =
      FieldPathAt(typed_.TypeOf(object), address - object.base,
                  bytes <= kWord ? bytes : 0, typed_.types());
  ObjectName named;
  std::string whole = prefix.substr(0, prefix.find_last_not_of(".:") + 1);
  // Of a struct in several bytes as a whole.
  const bool all = address == object.base && bytes > path.size;
  if (path.text.empty() || all) {
    named.name = whole;
  } else {
    named.name = prefix + path.text;
    if (address == object.base) named.whole = std::move(whole);
  }
  return named;
}

std::string ObjectNaming::ElementAt(const Region& region,
                                    uint64_t address) const {
  const uint64_t inside = address - region.first;
  const auto use = uses_.find(region.first);
  // What a library does inside of something of its own is its affair.
  if (use == uses_.end() || !use->second.own) return "";
  const std::set<uint64_t>& sizes = use->second.sizes;
  if (sizes.size() == 1) {
    const uint64_t element = *sizes.begin();
    if (element == 0 || region.size <= element) return "";
    if (region.size % element == 0 && inside % element == 0) {
      return fmt::format("[{}]", inside / element);
    }
  }
  return inside == 0 ? "" : fmt::format("+{}", inside);
}

ObjectName ObjectNaming::InVariable(const Region& variable,
                                    uint64_t address) const {
  ObjectName named = {.name = variable.name + ElementAt(variable, address)};
  if (address == variable.first && named.name != variable.name) {
    named.whole = variable.name;
  }
  return named;
}

std::string ObjectNaming::Numbered(const std::string& name, uint64_t first) {
  std::vector<uint64_t>& all = numbered_[name];
  auto mine = std::ranges::find(all, first);
  if (mine == all.end()) mine = all.insert(all.end(), first);
  const auto number = mine - all.begin() + 1;
  return number == 1 ? name : fmt::format("{}#{}", name, number);
}

std::string ObjectNaming::BlockName(const Region& block) const {
  const finding::Where where = memory_.allocated_at(block.first);
  return where.place.line != 0
             ? fmt::format("block@{}:{}", FileName(where.place.file),
                           where.place.line)
             : fmt::format("block of {} bytes", block.size);
}

ObjectName ObjectNaming::InBlock(const Region& block, uint64_t address) {
  const std::string element = ElementAt(block, address);
  if (const auto owner = typed_.OwnerOf(block.first)) {
    // A vector's elements; what is made of several parts is a node.
    const auto holder = NameOf(owner->address, 0);
    if (holder && element.starts_with("["))
      return {.name = holder->name + element};
    if (holder)
      return {.name = Numbered("node of " + holder->name, block.first)};
  }
  const std::string name = Numbered(BlockName(block), block.first);
  told_blocks_[name] = block.first;
  return {.name = name + element, .whole = element.empty() ? "" : name};
}

std::optional<ObjectName> ObjectNaming::InStack(uint64_t address) {
  const auto captured = captured_.find(address);
  if (captured != captured_.end()) return ObjectName{.name = captured->second};
  const auto function = functions_.find(address);
  if (function == functions_.end() || function->second.empty()) return {};
  return ObjectName{
      .name = Numbered("local of " + BareName(function->second), address)};
}

std::optional<ObjectName> ObjectNaming::NameOf(uint64_t address,
                                               uint64_t bytes) {
  if (const auto object = typed_.At(address)) {
    return InStruct(*object, address, bytes);
  }
  if (const auto block = BlockAt(address)) return InBlock(*block, address);
  if (const auto variable = VariableAt(address)) {
    return InVariable(*variable, address);
  }
  if (IsOnStack(address)) return InStack(address);
  return {};
}

std::vector<std::string> ObjectNaming::Legend() const {
  std::vector<std::string> lines;
  for (const auto& [type, bases] : instances_) {
    for (const uint64_t base : bases) {
      const auto block = BlockAt(base);
      if (!block) continue;
      const std::string prefix = PrefixOf({.base = base, .type = type});
      const std::string where =
          finding::WhereText(memory_.allocated_at(block->first));
      if (where.empty()) continue;
      lines.push_back(fmt::format(
          "{}: allocated at {}",
          prefix.substr(0, prefix.find_last_not_of(".:") + 1), where));
    }
  }
  return lines;
}

}  // namespace fairlead::explore
