#include "instrument/pass/types.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Function.h>

namespace fairlead::pass {
namespace {

using namespace llvm;

constexpr char kAnonymous[] = "(anonymous namespace)";

// Removes everything between balanced angle brackets. `operator<` and the like
// cannot name a type, so every '<' here opens template arguments.
std::string WithoutTemplateArguments(StringRef name) {
  std::string plain;
  int depth = 0;
  for (const char c : name) {
    if (c == '<') ++depth;
    if (depth == 0) plain += c;
    if (c == '>') --depth;
  }
  return plain;
}

std::string ScopePrefix(const DIScope* scope) {
  if (scope == nullptr || isa<DIFile>(scope) || isa<DICompileUnit>(scope)) {
    return "";
  }
  if (const auto* space = dyn_cast<DINamespace>(scope)) {
    const StringRef name = space->getName();
    return ScopePrefix(space->getScope()) +
           (name.empty() ? kAnonymous : name.str()) + "::";
  }
  if (const auto* type = dyn_cast<DIType>(scope)) {
    return PlainName(*type) + "::";
  }
  return ScopePrefix(scope->getScope());  // a function's local type
}

bool IsStruct(const DICompositeType& type) {
  return type.getTag() == dwarf::DW_TAG_structure_type ||
         type.getTag() == dwarf::DW_TAG_class_type ||
         type.getTag() == dwarf::DW_TAG_union_type;
}

bool HasSize(const DICompositeType& type, const StructType& layout,
             const DataLayout& sizes) {
  return layout.isSized() &&
         type.getSizeInBits() ==
             sizes.getTypeAllocSizeInBits(const_cast<StructType*>(&layout));
}

}  // namespace

std::string PlainName(const DIType& type) {
  return ScopePrefix(type.getScope()) +
         WithoutTemplateArguments(type.getName());
}

std::string PlainName(const StructType& type) {
  if (!type.hasName()) return "";
  StringRef name = type.getName();
  for (StringRef tag : {"struct.", "class.", "union."}) {
    if (name.consume_front(tag)) break;
  }
  size_t dot = name.rfind('.');
  if (dot != StringRef::npos && !name.substr(dot + 1).empty() &&
      all_of(name.substr(dot + 1), isDigit)) {
    name = name.substr(0, dot);
  }
  name.consume_back(".base");
  return WithoutTemplateArguments(name);
}

const DIType* WithoutQualifiers(const DIType* type) {
  while (const auto* derived = dyn_cast_or_null<DIDerivedType>(type)) {
    switch (derived->getTag()) {
      case dwarf::DW_TAG_typedef:
      case dwarf::DW_TAG_const_type:
      case dwarf::DW_TAG_volatile_type:
      case dwarf::DW_TAG_atomic_type:
      case dwarf::DW_TAG_restrict_type:
        type = derived->getBaseType();
        continue;
      default:
        return type;
    }
  }
  return type;
}

TypeCatalogue::TypeCatalogue(const Module& module) {
  DebugInfoFinder finder;
  finder.processModule(module);
  for (const DIType* type : finder.types()) {
    // C's `typedef struct { … } Name;` names the struct by the typedef.
    const auto* alias = dyn_cast<DIDerivedType>(type);
    const auto* composite = dyn_cast<DICompositeType>(type);
    std::string name;
    if (alias != nullptr && alias->getTag() == dwarf::DW_TAG_typedef) {
      composite = dyn_cast_or_null<DICompositeType>(alias->getBaseType());
      if (composite == nullptr || !composite->getName().empty()) continue;
      name = PlainName(*alias);
    } else if (composite != nullptr) {
      name = PlainName(*composite);
    }
    if (composite == nullptr || !IsStruct(*composite) ||
        composite->isForwardDecl()) {
      continue;
    }
    by_name_[name].push_back(composite);
    if (!composite->getIdentifier().empty()) {
      by_identifier_[composite->getIdentifier()] = composite;
    }
  }
}

const DICompositeType* TypeCatalogue::Definition(
    const DICompositeType* type) const {
  if (type == nullptr || !type->isForwardDecl()) return type;
  return by_identifier_.lookup(type->getIdentifier());
}

const DICompositeType* TypeCatalogue::ClassOf(const Function& function) const {
  const DISubprogram* subprogram = function.getSubprogram();
  if (subprogram == nullptr) return nullptr;
  return Definition(dyn_cast_or_null<DICompositeType>(subprogram->getScope()));
}

const DICompositeType* TypeCatalogue::Resolve(const StructType& layout,
                                              const DataLayout& sizes,
                                              const Function& function) const {
  const std::string name = PlainName(layout);
  const auto it = by_name_.find(name);
  if (it == by_name_.end()) return nullptr;

  const DICompositeType* own = ClassOf(function);
  if (own != nullptr && PlainName(*own) == name) return own;
  if (it->second.size() == 1) return it->second.front();

  const DICompositeType* match = nullptr;
  for (const DICompositeType* candidate : it->second) {
    if (!HasSize(*candidate, layout, sizes)) continue;
    if (match != nullptr) return nullptr;
    match = candidate;
  }
  return match;
}

}  // namespace fairlead::pass
