#include "instrument/pass/module_record.h"

#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "abi/module.h"
#include "abi/version.h"
#include "instrument/pass/unit_writer.h"

namespace fairlead::pass {
namespace {

using namespace llvm;
using abi::ModuleRecord;

// Bytes of the note in front of the record: three words and the padded name.
constexpr size_t kNoteHeader = 12;
constexpr size_t kNoteName = 12;

Constant* Edge(Module& module, StringRef prefix, StringRef section) {
  const std::string name = (prefix + section).str();
  Constant* edge =
      module.getOrInsertGlobal(name, Type::getInt8Ty(module.getContext()));
  auto* global = cast<GlobalVariable>(edge);
  global->setVisibility(GlobalValue::HiddenVisibility);
  global->setDSOLocal(true);
  return global;
}

// What is not a number is a place to point to.
struct Word {
  uint32_t number = 0;
  Constant* target = nullptr;
};

GlobalVariable* AddNote(Module& module, const Stubs& stubs) {
  uint32_t name[kNoteName / 4] = {};
  std::memcpy(name, abi::kNoteName, sizeof(abi::kNoteName));
  const Word words[] = {
      {sizeof(abi::kNoteName)},
      {sizeof(ModuleRecord)},
      {abi::kNoteModule},
      {name[0]},
      {name[1]},
      {name[2]},
      // ModuleRecord.
      {abi::kAbiVersion},
      {sizeof(ModuleRecord)},
      {.target = Edge(module, "__start_", kUnitsSection)},
      {.target = Edge(module, "__stop_", kUnitsSection)},
      {.target = Edge(module, "__start_", kStubsSection)},
      {.target = Edge(module, "__stop_", kStubsSection)},
      {.target = stubs.hooks()},
      {0},
  };
  static_assert(sizeof(words) / sizeof(Word) * 4 ==
                kNoteHeader + kNoteName + sizeof(ModuleRecord));
  Type* word = Type::getInt32Ty(module.getContext());
  auto* type = ArrayType::get(word, std::size(words));
  auto* note = new GlobalVariable(module, type, /*isConstant=*/true,
                                  GlobalValue::LinkOnceODRLinkage, nullptr,
                                  SharedName("note"));
  SmallVector<Constant*, 16> values;
  for (const Word& one : words) {
    values.push_back(one.target != nullptr
                         ? Distance(one.target, note, values.size() * 4)
                         : ConstantInt::get(word, one.number));
  }
  note->setInitializer(ConstantArray::get(type, values));
  note->setAlignment(Align(4));
  note->setSection(".note.fairlead");
  MakeShared(*note);
  return note;
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

  auto* constructor = Function::Create(
      FunctionType::get(none, false), GlobalValue::LinkOnceODRLinkage,
      SharedName("module_constructor"), module);
  MakeShared(*constructor);
  constructor->addFnAttr(Attribute::NoUnwind);
  auto* entry = BasicBlock::Create(context, "", constructor);
  IRBuilder<> at(entry);
  Instruction* done = at.CreateRetVoid();
  at.SetInsertPoint(done);
  IRBuilder<> calling(SplitBlockAndInsertIfThen(at.CreateIsNotNull(loaded),
                                                done, /*Unreachable=*/false));
  calling.CreateCall(
      loaded, {calling.CreateConstInBoundsGEP1_64(calling.getInt8Ty(), note,
                                                  kNoteHeader + kNoteName)});
  appendToGlobalCtors(module, constructor, /*Priority=*/0, constructor);
}

}  // namespace

void AddModuleRecord(Module& module, Stubs& stubs, GlobalVariable* unit) {
  GlobalVariable* note = AddNote(module, stubs);
  // A section that nobody contributed to would leave its start undefined.
  appendToUsed(module, {note, unit, stubs.Get(Hook::before)});
  AddConstructor(module, note);
}

}  // namespace fairlead::pass
