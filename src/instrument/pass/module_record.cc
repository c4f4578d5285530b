#include "instrument/pass/module_record.h"

#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "abi/module.h"
#include "abi/version.h"
#include "instrument/pass/record_writer.h"
#include "instrument/pass/tables.h"

namespace fairlead::pass {
namespace {

using namespace llvm;
using abi::ModuleRecord;

// Bytes of the note in front of the record: three words and the padded name.
constexpr size_t kNoteHeader = 12;
constexpr size_t kNoteName = 12;

// A section that no function contributed to would leave its start undefined:
// each gets one empty record, which readers skip.
GlobalVariable* KeepSection(Module& module, StringRef section, size_t bytes,
                            bool constant) {
  auto* type = ArrayType::get(Type::getInt8Ty(module.getContext()), bytes);
  auto* global = new GlobalVariable(
      module, type, constant, GlobalValue::LinkOnceODRLinkage,
      Constant::getNullValue(type), "__fl_keep." + section);
  global->setSection(section);
  global->setAlignment(Align(bytes >= 8 ? 8 : 1));
  MakeShared(*global, nullptr);
  return global;
}

Constant* Edge(Module& module, StringRef prefix, StringRef section) {
  const std::string name = (prefix + section).str();
  Constant* edge =
      module.getOrInsertGlobal(name, Type::getInt8Ty(module.getContext()));
  auto* global = cast<GlobalVariable>(edge);
  global->setVisibility(GlobalValue::HiddenVisibility);
  global->setDSOLocal(true);
  return global;
}

void WriteEdges(RecordWriter& out, Module& module, StringRef section) {
  out.RelativeUnnamed(Edge(module, "__start_", section));
  out.RelativeUnnamed(Edge(module, "__stop_", section));
}

GlobalVariable* AddNote(Module& module, const HookTable& hooks) {
  RecordWriter out(module);
  out.Int32(sizeof(abi::kNoteName)).Int32(sizeof(ModuleRecord));
  out.Int32(abi::kNoteModule).At(kNoteHeader);
  for (size_t i = 0; i < kNoteName; ++i) {
    out.Int8(i < sizeof(abi::kNoteName) ? abi::kNoteName[i] : 0);
  }
  const size_t start = kNoteHeader + kNoteName;
  out.At(start).Int32(abi::kAbiVersion).Int32(sizeof(ModuleRecord));
  out.At(start + offsetof(ModuleRecord, sites_begin));
  WriteEdges(out, module, kSitesSection);
  WriteEdges(out, module, kFunctionsSection);
  WriteEdges(out, module, kTypesSection);
  WriteEdges(out, module, kModesSection);
  out.At(start + offsetof(ModuleRecord, hooks));
  out.RelativeUnnamed(hooks.table()).Int32(0);
  out.At(start + sizeof(ModuleRecord));
  return out.Finish("__fl_note", ".note.fairlead", nullptr, 4);
}

// Tells a runtime, if there is one, about this module. In an executable the
// weak symbol may be bound to nothing at link time; the note covers that case.
void AddConstructor(Module& module, GlobalVariable* note) {
  LLVMContext& context = module.getContext();
  auto* none = Type::getVoidTy(context);
  auto* pointer = PointerType::get(context, 0);
  auto* loaded = cast<Function>(
      module
          .getOrInsertFunction(abi::kModuleLoadedSymbol,
                               FunctionType::get(none, {pointer}, false))
          .getCallee());
  loaded->setLinkage(GlobalValue::ExternalWeakLinkage);

  auto* constructor = Function::Create(FunctionType::get(none, false),
                                       GlobalValue::LinkOnceODRLinkage,
                                       "__fl_module_constructor", module);
  constructor->setVisibility(GlobalValue::HiddenVisibility);
  constructor->setDSOLocal(true);
  constructor->setComdat(module.getOrInsertComdat(constructor->getName()));
  constructor->addFnAttr(Attribute::NoUnwind);
  auto* entry = BasicBlock::Create(context, "", constructor);
  IRBuilder<> at(entry);
  Instruction* done = at.CreateRetVoid();
  IRBuilder<> calling(WhenNotNull(loaded, done));
  calling.CreateCall(
      loaded, {calling.CreateConstInBoundsGEP1_64(calling.getInt8Ty(), note,
                                                  kNoteHeader + kNoteName)});
  appendToGlobalCtors(module, constructor, /*Priority=*/0, constructor);
}

}  // namespace

void AddModuleRecord(Module& module, const HookTable& hooks) {
  GlobalVariable* note = AddNote(module, hooks);
  appendToUsed(
      module,
      {note,
       KeepSection(module, kSitesSection, sizeof(abi::SiteRecord),
                   /*constant=*/true),
       KeepSection(module, kFunctionsSection, sizeof(abi::FunctionRecord),
                   true),
       KeepSection(module, kTypesSection, sizeof(abi::TypeRecord), true),
       KeepSection(module, kModesSection, 1, /*constant=*/false)});
  AddConstructor(module, note);
}

}  // namespace fairlead::pass
