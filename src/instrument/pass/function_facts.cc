#include "instrument/pass/function_facts.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/xxhash.h>

#include "abi/site.h"
#include "instrument/pass/identity.h"

namespace fairlead::pass {
namespace {

using namespace llvm;

// The text that the demangler gives, which is the caller's to free.
std::string Taken(char* text) {
  std::string taken = text == nullptr ? "" : text;
  std::free(text);
  return taken;
}

// The last part of "main::'lambda'(std::string)": what follows the last "::"
// that is in no parameters or template arguments.
StringRef LastPart(StringRef name) {
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i + 1 < name.size(); ++i) {
    if (name[i] == '(' || name[i] == '<') ++depth;
    if (name[i] == ')' || name[i] == '>') --depth;
    if (depth == 0 && name.substr(i).starts_with("::")) begin = i + 2;
  }
  return name.substr(begin);
}

// Whether it is the body of a lambda, or what calls that through a plain
// pointer. A function that is made for a lambda, or stands inside one, is not.
bool IsLambdaCall(const ItaniumPartialDemangler& demangler) {
  const std::string base =
      Taken(demangler.getFunctionBaseName(nullptr, nullptr));
  if (base != "operator()" && base != "__invoke") return false;
  const std::string scope =
      Taken(demangler.getFunctionDeclContextName(nullptr, nullptr));
  const StringRef closure = LastPart(scope);
  return closure.starts_with("'lambda") || closure.starts_with("$_");
}

// Constructor, destructor, const: the linkage name tells at every -g level.
uint16_t FlagsFromName(StringRef linkage_name) {
  if (!linkage_name.starts_with("_Z")) return 0;
  uint16_t flags = 0;
  ItaniumPartialDemangler demangler;
  const std::string name = linkage_name.str();
  if (demangler.partialDemangle(name.c_str())) return 0;
  if (demangler.isCtorOrDtor()) {
    const bool destructor =
        Taken(demangler.getFunctionBaseName(nullptr, nullptr)).starts_with('~');
    flags |= destructor ? abi::kFunctionDestructor : abi::kFunctionConstructor;
  }
  const bool is_const =
      linkage_name.starts_with("_ZNK") || linkage_name.contains("ENK");
  if (is_const) flags |= abi::kFunctionConst;
  if (IsLambdaCall(demangler)) flags |= abi::kFunctionLambda;
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

// The source's parameters, from 1 on; the result is 0. Empty: not known.
DITypeRefArray SignatureOf(const DISubprogram& subprogram) {
  const DISubroutineType* type = subprogram.getType();
  return type != nullptr ? type->getTypeArray() : DITypeRefArray(nullptr);
}

bool BeginsWithThis(const DITypeRefArray& signature) {
  return signature.size() > 1 && signature[1] != nullptr &&
         signature[1]->isArtificial() && IsPointerLike(signature[1]);
}

// The machine's parameters begin with the place of a result in memory.
unsigned FirstArgument(const llvm::Function& function) {
  return function.hasStructRetAttr() ? 1 : 0;
}

// The parameter that this local is the variable of, counted from 1; 0 = none.
// Optimised builds have their declarations turned into assignments by then.
unsigned ParameterIn(Value* local) {
  const auto* slot = dyn_cast<AllocaInst>(local);
  if (slot == nullptr) return 0;
  SmallVector<const DILocalVariable*, 4> variables;
  for (const DbgVariableRecord* each : findDVRDeclares(local)) {
    variables.push_back(each->getVariable());
  }
  for (const DbgDeclareInst* each : findDbgDeclares(local)) {
    variables.push_back(each->getVariable());
  }
  for (const DbgVariableRecord* each : at::getDVRAssignmentMarkers(slot)) {
    variables.push_back(each->getVariable());
  }
  for (const DILocalVariable* each : variables) {
    if (each->getArg() != 0) return each->getArg();
  }
  return 0;
}

// The same for the local that the argument is put into, as every parameter is
// at the start of the pipeline.
unsigned DeclaredAs(const Argument& argument) {
  for (const User* user : argument.users()) {
    const auto* store = dyn_cast<StoreInst>(user);
    if (store == nullptr || store->getValueOperand() != &argument) continue;
    Value* local = const_cast<Value*>(store->getPointerOperand());
    if (const unsigned number = ParameterIn(local)) return number;
  }
  return 0;
}

// Debug information lists the parameters of the source, IR those of the
// machine: a struct by value is none, one or several of them. So an argument is
// known by its variable; by its position only where it has none and the numbers
// agree.
void AddParams(const llvm::Function& function, const DISubprogram& subprogram,
               const TypeCatalogue& types, FunctionFacts& facts) {
  const DITypeRefArray signature = SignatureOf(subprogram);
  const unsigned first = FirstArgument(function);
  const bool has_this = BeginsWithThis(signature);
  const bool same_number = signature.size() == function.arg_size() - first + 1;
  for (unsigned i = first; i < function.arg_size(); ++i) {
    const Argument& argument = *function.getArg(i);
    if (!argument.getType()->isPointerTy()) continue;
    unsigned number = has_this && i == first ? 1 : DeclaredAs(argument);
    if (number == 0 && same_number) number = i - first + 1;
    if (number == 0 || number >= signature.size()) continue;
    const DIType* type = signature[number];
    if (type == nullptr || !IsPointerLike(type)) continue;
    facts.params.push_back({PointeeStruct(type, types), number - 1});
    facts.pointer_arguments.push_back(i);
  }
  if (has_this && !facts.params.empty() && facts.params[0].index == 0) {
    facts.flags |= abi::kFunctionThis;
  }
}

// The text of an annotation's global; "" if it is none.
StringRef TextOf(const Value* value) {
  const auto* global = dyn_cast<GlobalVariable>(value->stripPointerCasts());
  if (global == nullptr || !global->hasInitializer()) return "";
  const auto* text = dyn_cast<ConstantDataArray>(global->getInitializer());
  return text != nullptr && text->isCString() ? text->getAsCString() : "";
}

// What the macros of the public header declare (fairlead/fairlead.h).
uint16_t DeclaredFlag(StringRef annotation) {
  if (annotation == "fairlead.unit") return abi::kFunctionUnit;
  if (annotation == "fairlead.not-a-unit") return abi::kFunctionNotUnit;
  if (annotation == "fairlead.guard") return abi::kFunctionGuarded;
  return 0;
}

// Clang lists annotated functions in one array of the module; it is short, or
// not there.
uint16_t FlagsFromAnnotations(const llvm::Function& function) {
  const GlobalVariable* list =
      function.getParent()->getNamedGlobal("llvm.global.annotations");
  if (list == nullptr || !list->hasInitializer()) return 0;
  uint16_t flags = 0;
  for (const Use& use : list->getInitializer()->operands()) {
    const auto* entry = dyn_cast<ConstantStruct>(use.get());
    if (entry == nullptr || entry->getNumOperands() < 2 ||
        entry->getOperand(0)->stripPointerCasts() != &function) {
      continue;
    }
    flags |= DeclaredFlag(TextOf(entry->getOperand(1)));
  }
  return flags;
}

}  // namespace

FunctionFacts FactsOf(const llvm::Function& function,
                      const TypeCatalogue& types, SourceText& sources) {
  FunctionFacts facts;
  facts.id = xxh3_64bits(FunctionIdentity(function, sources));
  if (facts.id == 0) facts.id = 1;
  facts.name = function.getName().str();
  facts.flags =
      FlagsFromName(function.getName()) | FlagsFromAnnotations(function);
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
  // A list that is missing says nothing about `this`.
  const DITypeRefArray signature = SignatureOf(*subprogram);
  const bool member = isa_and_nonnull<DICompositeType>(subprogram->getScope());
  if (member && signature.size() != 0 && !BeginsWithThis(signature)) {
    facts.flags |= abi::kFunctionStatic;
  }
  return facts;
}

const llvm::Argument* ThisOf(const llvm::Function& function) {
  const DISubprogram* subprogram = function.getSubprogram();
  if (subprogram == nullptr || !BeginsWithThis(SignatureOf(*subprogram))) {
    return nullptr;
  }
  const unsigned first = FirstArgument(function);
  return first < function.arg_size() ? function.getArg(first) : nullptr;
}

}  // namespace fairlead::pass
