#include "instrument/pass/function_facts.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/Support/xxhash.h>

#include "abi/site.h"
#include "instrument/pass/identity.h"

namespace fairlead::pass {
namespace {

using namespace llvm;

// Constructor, destructor, const: the linkage name tells at every -g level.
uint16_t FlagsFromName(StringRef linkage_name) {
  if (!linkage_name.starts_with("_Z")) return 0;
  uint16_t flags = 0;
  ItaniumPartialDemangler demangler;
  const std::string name = linkage_name.str();
  if (demangler.partialDemangle(name.c_str())) return 0;
  if (demangler.isCtorOrDtor()) {
    char* base = demangler.getFunctionBaseName(nullptr, nullptr);
    const bool destructor = base != nullptr && base[0] == '~';
    std::free(base);
    flags |= destructor ? abi::kFunctionDestructor : abi::kFunctionConstructor;
  }
  const bool is_const =
      linkage_name.starts_with("_ZNK") || linkage_name.contains("ENK");
  if (is_const) flags |= abi::kFunctionConst;
  if (linkage_name.contains("UlvE") || linkage_name.contains("EUl") ||
      linkage_name.contains("$_")) {
    flags |= abi::kFunctionLambda;
  }
  return flags;
}

const DICompositeType* PointeeStruct(const DIType* type,
                                     const TypeCatalogue& types) {
  const auto* pointer =
      dyn_cast_or_null<DIDerivedType>(WithoutQualifiers(type));
  if (pointer == nullptr) return nullptr;
  return types.Definition(dyn_cast_or_null<DICompositeType>(
      WithoutQualifiers(pointer->getBaseType())));
}

bool IsPointerLike(const DIType* type) {
  const DIType* plain = WithoutQualifiers(type);
  return plain != nullptr &&
         (plain->getTag() == dwarf::DW_TAG_pointer_type ||
          plain->getTag() == dwarf::DW_TAG_reference_type ||
          plain->getTag() == dwarf::DW_TAG_rvalue_reference_type);
}

// Debug information lists the parameters of the source, IR those of the machine
// (a result through memory comes first, structs may be split). They are matched
// only while their numbers agree.
void AddParams(const llvm::Function& function, const DISubprogram& subprogram,
               const TypeCatalogue& types, FunctionFacts& facts) {
  const unsigned first = function.hasStructRetAttr() ? 1 : 0;
  const DISubroutineType* signature = subprogram.getType();
  const DITypeRefArray list = signature != nullptr ? signature->getTypeArray()
                                                   : DITypeRefArray(nullptr);
  const unsigned num_source = list.size() == 0 ? 0 : list.size() - 1;
  if (num_source != function.arg_size() - first) return;
  for (unsigned i = 0; i < num_source; ++i) {
    const DIType* type = list[i + 1];
    if (type == nullptr || !IsPointerLike(type)) continue;
    facts.params.push_back({PointeeStruct(type, types), i});
    facts.pointer_arguments.push_back(i + first);
  }
  const DIType* self = num_source > 0 ? list[1] : nullptr;
  if (self != nullptr && self->isArtificial()) {
    facts.flags |= abi::kFunctionThis;
  }
}

}  // namespace

FunctionFacts FactsOf(const llvm::Function& function,
                      const TypeCatalogue& types, SourceText& sources) {
  FunctionFacts facts;
  facts.id = xxh3_64bits(FunctionIdentity(function, sources));
  if (facts.id == 0) facts.id = 1;
  facts.name = function.getName().str();
  facts.flags = FlagsFromName(function.getName());
  if (function.hasLocalLinkage()) facts.flags |= abi::kFunctionInternal;

  const DISubprogram* subprogram = function.getSubprogram();
  if (subprogram == nullptr) return facts;
  // What the compiler made up for itself, parts of a coroutine for example, has
  // a linkage name only.
  if (!subprogram->getName().empty()) facts.name = subprogram->getName().str();
  facts.file = subprogram->getFile();
  facts.line = subprogram->getLine();
  if (sources.Path(facts.file).library) facts.flags |= abi::kFunctionLibrary;
  facts.type = types.ClassOf(function);
  AddParams(function, *subprogram, types, facts);
  const bool member = isa_and_nonnull<DICompositeType>(subprogram->getScope());
  if (member && !(facts.flags & abi::kFunctionThis)) {
    facts.flags |= abi::kFunctionStatic;
  }
  return facts;
}

}  // namespace fairlead::pass
