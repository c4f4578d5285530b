#include "instrument/pass/stubs.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>

#include "abi/hooks.h"
#include "abi/site.h"
#include "instrument/pass/unit_writer.h"

namespace fairlead::pass {
namespace {

using namespace llvm;
using abi::FunctionRecord;
using abi::SiteRecord;

// What a stub is: its type, by letters (result first), which byte it looks at,
// for which bits, and what it does when none is set.
struct Shape {
  const char* name;
  const char* type;
  enum Looks { kAtSite, kAtFunction, kAtTable } looks;
  unsigned bits;
  const char* idle;
};

constexpr unsigned kAnyMode = 0xff;
constexpr unsigned kAhead = abi::kModeBefore | abi::kModeCount;
constexpr unsigned kFollowed = abi::kModeContext | abi::kModeEvents;

// In the order of abi/hooks.inc. Arguments are in rdi, rsi, rdx, xmm0.
constexpr Shape kShapes[] = {
    {"load1", "bpp", Shape::kAtSite, kAnyMode, "movzbl (%rdi), %eax"},
    {"load2", "hpp", Shape::kAtSite, kAnyMode, "movzwl (%rdi), %eax"},
    {"load4", "wpp", Shape::kAtSite, kAnyMode, "movl (%rdi), %eax"},
    {"load8", "lpp", Shape::kAtSite, kAnyMode, "movq (%rdi), %rax"},
    {"load_float", "fpp", Shape::kAtSite, kAnyMode, "movss (%rdi), %xmm0"},
    {"load_double", "dpp", Shape::kAtSite, kAnyMode, "movsd (%rdi), %xmm0"},
    {"store1", "vppb", Shape::kAtSite, kAnyMode, "movb %dl, (%rdi)"},
    {"store2", "vpph", Shape::kAtSite, kAnyMode, "movw %dx, (%rdi)"},
    {"store4", "vppw", Shape::kAtSite, kAnyMode, "movl %edx, (%rdi)"},
    {"store8", "vppl", Shape::kAtSite, kAnyMode, "movq %rdx, (%rdi)"},
    {"store_float", "vppf", Shape::kAtSite, kAnyMode, "movss %xmm0, (%rdi)"},
    {"store_double", "vppd", Shape::kAtSite, kAnyMode, "movsd %xmm0, (%rdi)"},
    {"before", "vpp", Shape::kAtSite, kAhead, ""},
    {"after", "vppl", Shape::kAtSite, abi::kModeAfter, ""},
    {"after_rmw", "vppllw", Shape::kAtSite, abi::kModeAfter, ""},
    {"before_range", "vppll", Shape::kAtSite, kAhead, ""},
    {"after_range", "vppll", Shape::kAtSite, abi::kModeAfter, ""},
    {"enter", "ppppp", Shape::kAtFunction, kFollowed, "movq %rsi, %rax"},
    {"exit", "vpp", Shape::kAtFunction, abi::kModeEvents, ""},
    {"unwound", "vppl", Shape::kAtTable, 0, ""},
};
static_assert(std::size(kShapes) == static_cast<size_t>(Hook::kCount));

Type* TypeOf(LLVMContext& context, char letter) {
  switch (letter) {
    case 'b':
      return Type::getInt8Ty(context);
    case 'h':
      return Type::getInt16Ty(context);
    case 'w':
      return Type::getInt32Ty(context);
    case 'l':
      return Type::getInt64Ty(context);
    case 'f':
      return Type::getFloatTy(context);
    case 'd':
      return Type::getDoubleTy(context);
    case 'p':
      return PointerType::get(context, 0);
    default:
      return Type::getVoidTy(context);
  }
}

// Which argument is the record.
unsigned RecordIn(const Shape& shape) {
  return shape.looks == Shape::kAtSite ? 1 : 0;
}

FunctionType* TypeOf(LLVMContext& context, const Shape& shape) {
  SmallVector<Type*, 6> types;
  for (const char* letter = shape.type + 1; *letter != '\0'; ++letter) {
    types.push_back(TypeOf(context, *letter));
  }
  return FunctionType::get(TypeOf(context, shape.type[0]), types, false);
}

FunctionType* TypeOfStep(LLVMContext& context, const Shape& shape) {
  FunctionType* stub = TypeOf(context, shape);
  SmallVector<Type*, 6> types(stub->params());
  types[RecordIn(shape)] = Type::getInt64Ty(context);
  return FunctionType::get(stub->getReturnType(), types, false);
}

// `$` stands for itself when it is doubled; operand 0 is the hook's place in
// the table.
std::string TestOf(const Shape& shape) {
  const std::string test = "testb $$" + std::to_string(shape.bits) + ", ";
  switch (shape.looks) {
    case Shape::kAtSite:
      return test + std::to_string(offsetof(SiteRecord, mode)) + "(%rsi)";
    case Shape::kAtFunction:
      return test + std::to_string(offsetof(FunctionRecord, mode)) + "(%rdi)";
    case Shape::kAtTable:
      return "cmpq $$0, ${0:c}(%rip)";
  }
  return {};
}

std::string CodeOf(const Shape& shape) {
  std::string code = TestOf(shape);
  code += "\n\tjne 1f\n\t";
  if (*shape.idle != '\0') code += std::string(shape.idle) + "\n\t";
  return code + "retq\n1:\n\tjmpq *${0:c}(%rip)";
}

// Operands are the hook's place, the base of the records and the stub. Where
// something is to be told, the step does without the stub: as many jumps as
// without a step.
std::string CodeOfStep(const Shape& shape) {
  const char* record = RecordIn(shape) == 0 ? "%rdi" : "%rsi";
  std::string code = "leaq ${1:c}(%rip), %rax\n\taddq %rax, ";
  code += record;
  if (shape.looks == Shape::kAtTable) return code + "\n\tjmp ${2:c}";
  return code + "\n\t" + TestOf(shape) + "\n\tje ${2:c}\n\tjmpq *${0:c}(%rip)";
}

// Makes `function`, which is empty, one of machine code.
void Write(Function& function, const std::string& code,
           ArrayRef<Value*> operands) {
  function.addFnAttr(Attribute::Naked);
  function.addFnAttr(Attribute::NoInline);
  function.addFnAttr(Attribute::NoUnwind);
  function.setUWTableKind(UWTableKind::Default);
  IRBuilder<> at(BasicBlock::Create(function.getContext(), "", &function));
  SmallVector<Type*, 2> types;
  std::string constraints;
  for (const Value* operand : operands) {
    constraints += types.empty() ? "i" : ",i";
    types.push_back(operand->getType());
  }
  auto* assembly =
      InlineAsm::get(FunctionType::get(at.getVoidTy(), types, false), code,
                     constraints, /*hasSideEffects=*/true);
  at.CreateCall(assembly, operands);
  at.CreateUnreachable();
}

}  // namespace

Stubs::Stubs(Module& module, const Bases& bases)
    : module_(module), bases_(bases) {
  const auto count = static_cast<unsigned>(Hook::kCount);
  auto* type = ArrayType::get(PointerType::get(module.getContext(), 0), count);
  hooks_ = new GlobalVariable(
      module, type, /*isConstant=*/false, GlobalValue::LinkOnceODRLinkage,
      Constant::getNullValue(type), SharedName("hooks"));
  hooks_->setExternallyInitialized(true);
  MakeShared(*hooks_);
}

Function* Stubs::Get(Hook hook) {
  const auto index = static_cast<size_t>(hook);
  Function*& stub = stubs_[index];
  if (stub != nullptr) return stub;
  LLVMContext& context = module_.getContext();
  const Shape& shape = kShapes[index];
  stub =
      Function::Create(TypeOf(context, shape), GlobalValue::LinkOnceODRLinkage,
                       SharedName(shape.name), module_);
  MakeShared(*stub);
  stub->setSection(kStubsSection);
  Write(*stub, CodeOf(shape), {PlaceOf(hook)});
  return stub;
}

Constant* Stubs::PlaceOf(Hook hook) const {
  IRBuilder<> at(module_.getContext());
  return ConstantExpr::getInBoundsGetElementPtr(
      at.getInt8Ty(), hooks_,
      at.getInt64(static_cast<uint64_t>(hook) * sizeof(void*)));
}

Function* Stubs::NewStep(Hook hook, StringRef section) {
  const Shape& shape = kShapes[static_cast<size_t>(hook)];
  auto* step = Function::Create(TypeOfStep(module_.getContext(), shape),
                                GlobalValue::InternalLinkage,
                                Twine("__fl_") + shape.name, module_);
  step->setSection(section);
  Write(*step, CodeOfStep(shape),
        {PlaceOf(hook), RecordIn(shape) == 0 ? bases_.functions : bases_.sites,
         Get(hook)});
  return step;
}

Function* Stubs::Step(Hook hook) {
  Function*& step = steps_[static_cast<size_t>(hook)];
  if (step == nullptr) step = NewStep(hook, "");
  return step;
}

CallInst* Stubs::Call(IRBuilder<>& at, Hook hook, ArrayRef<Value*> arguments) {
  CallInst* call = at.CreateCall(Step(hook), arguments);
  call->setDoesNotThrow();
  return call;
}

void Stubs::PlaceSteps() {
  for (const auto& [i, step] : enumerate(steps_)) {
    if (step == nullptr) continue;
    StringMap<Function*> placed;
    for (Use& use : make_early_inc_range(step->uses())) {
      const auto* call = cast<CallInst>(use.getUser());
      const StringRef section = call->getFunction()->getSection();
      if (section.empty()) continue;
      Function*& here = placed[section];
      if (here == nullptr) here = NewStep(static_cast<Hook>(i), section);
      use.set(here);
    }
    if (step->use_empty()) step->eraseFromParent();
  }
}

std::optional<Hook> LoaderOf(const Type& type) {
  if (type.isPointerTy() || type.isIntegerTy(64)) return Hook::load8;
  if (type.isIntegerTy(32)) return Hook::load4;
  if (type.isIntegerTy(16)) return Hook::load2;
  if (type.isIntegerTy(8)) return Hook::load1;
  if (type.isFloatTy()) return Hook::load_float;
  if (type.isDoubleTy()) return Hook::load_double;
  return std::nullopt;
}

std::optional<Hook> StorerOf(const Type& type) {
  const auto loader = LoaderOf(type);
  if (!loader) return std::nullopt;
  constexpr unsigned kBetween =
      static_cast<unsigned>(Hook::store1) - static_cast<unsigned>(Hook::load1);
  return static_cast<Hook>(static_cast<unsigned>(*loader) + kBetween);
}

}  // namespace fairlead::pass
