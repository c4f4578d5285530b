#include "instrument/pass/idle_copy.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/xxhash.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "instrument/pass/copy_function.h"
#include "instrument/pass/hook_table.h"

namespace fairlead::pass {
namespace {

using namespace llvm;

// Marks an active body that is kept from the optimizer.
constexpr char kActiveBody[] = "fairlead-active";

// The switch loads this many bytes at most. Beyond, a call is worth its own
// test: such a function is not small.
constexpr size_t kMostAsked = 8;

bool MayHaveTwoBodies(const Function& function) {
  if (function.hasOptNone() || function.isPresplitCoroutine() ||
      function.hasAvailableExternallyLinkage() || function.isVarArg()) {
    return false;
  }
  return none_of(function, [](const BasicBlock& block) {
    return block.hasAddressTaken();
  });
}

// Equal for switches that ask for the same modes, in any translation unit.
std::string AskedName(ArrayRef<Constant*> asked) {
  std::string names;
  for (const Constant* mode : asked) names += mode->getName();
  return utohexstr(xxh3_64bits(names), /*LowerCase=*/true, 16);
}

// A body that one translation unit alone uses is internal; one that the linker
// merges by name is merged by name again. That name tells what its switch asks
// for, because the linker chooses switch and bodies independently.
void PlaceBeside(const Function& function, Function& body,
                 ArrayRef<Constant*> asked) {
  if (!function.hasLinkOnceODRLinkage() && !function.hasWeakODRLinkage()) {
    body.setComdat(nullptr);
    body.setLinkage(GlobalValue::InternalLinkage);
    body.setVisibility(GlobalValue::DefaultVisibility);
    return;
  }
  body.setLinkage(GlobalValue::LinkOnceODRLinkage);
  body.setVisibility(GlobalValue::HiddenVisibility);
  body.setDSOLocal(true);
  body.setName(body.getName() + "." + AskedName(asked));
  body.setComdat(body.getParent()->getOrInsertComdat(body.getName()));
}

AttributeList SignatureAttributes(const Function& function) {
  const AttributeList all = function.getAttributes();
  SmallVector<AttributeSet, 8> params;
  for (unsigned i = 0; i < function.arg_size(); ++i) {
    params.push_back(all.getParamAttrs(i));
  }
  return AttributeList::get(function.getContext(), AttributeSet(),
                            all.getRetAttrs(), params);
}

void TailCall(IRBuilder<>& at, Function& from, Function& to) {
  SmallVector<Value*, 8> arguments;
  for (Argument& argument : from.args()) arguments.push_back(&argument);
  CallInst* call = at.CreateCall(to.getFunctionType(), &to, arguments);
  // A parameter that is a copy in the caller's frame must outlive the call.
  const bool copies =
      any_of(from.args(), [](const Argument& a) { return a.hasByValAttr(); });
  if (!copies) call->setTailCallKind(CallInst::TCK_Tail);
  call->setCallingConv(from.getCallingConv());
  call->setAttributes(SignatureAttributes(from));
  if (call->getType()->isVoidTy()) {
    at.CreateRetVoid();
  } else {
    at.CreateRet(call);
  }
}

// Locals that nobody else can see go to registers: all that the optimizer could
// do for code between hooks, at little cost.
void PromoteLocals(Function& function) {
  SmallVector<AllocaInst*, 16> locals;
  for (Instruction& instruction : function.getEntryBlock()) {
    auto* local = dyn_cast<AllocaInst>(&instruction);
    if (local != nullptr && isAllocaPromotable(local)) locals.push_back(local);
  }
  if (locals.empty()) return;
  DominatorTree tree(function);
  PromoteMemToReg(locals, tree);
}

// Moves the body of `function` into a function of its own.
Function* MoveBody(Function& function, ArrayRef<Constant*> asked,
                   IdleCopies::Code code) {
  auto* active =
      Function::Create(function.getFunctionType(), GlobalValue::InternalLinkage,
                       function.getAddressSpace(),
                       function.getName() + ".active", function.getParent());
  active->copyAttributesFrom(&function);
  active->setLinkage(GlobalValue::InternalLinkage);
  PlaceBeside(function, *active, asked);
  active->splice(active->begin(), &function);
  for (auto [from, to] : zip(function.args(), active->args())) {
    to.takeName(&from);
    from.replaceAllUsesWith(&to);
  }
  SmallVector<std::pair<unsigned, MDNode*>, 4> metadata;
  function.getAllMetadata(metadata);
  for (const auto& [kind, node] : metadata) active->addMetadata(kind, *node);
  function.clearMetadata();
  function.setPersonalityFn(nullptr);
  function.setPrefixData(nullptr);
  active->removeFnAttr(Attribute::AlwaysInline);
  active->removeFnAttr(Attribute::InlineHint);
  active->addFnAttr(Attribute::Cold);
  // Its hooks take the time; optimising around them would take the compiler's.
  active->removeFnAttr(Attribute::OptimizeForSize);
  active->removeFnAttr(Attribute::MinSize);
  active->addFnAttr(Attribute::NoInline);
  active->addFnAttr(Attribute::OptimizeNone);
  if (code == IdleCopies::Code::kApplication) {
    PromoteLocals(*active);
    active->addFnAttr(kActiveBody);
  }
  return active;
}

void WriteSwitch(Function& function, Function& idle, ArrayRef<Constant*> asked,
                 IdleCopies::Code code) {
  PlaceBeside(function, idle, asked);
  Function* active = MoveBody(function, asked, code);
  LLVMContext& context = function.getContext();
  auto* entry = BasicBlock::Create(context, "", &function);
  auto* watched = BasicBlock::Create(context, "active", &function);
  auto* alone = BasicBlock::Create(context, "idle", &function);
  IRBuilder<> at(entry);
  Value* any = LoadModes(at, asked);
  at.CreateCondBr(at.CreateICmpNE(any, at.getInt8(0)), watched, alone,
                  MDBuilder(context).createUnlikelyBranchWeights());
  at.SetInsertPoint(watched);
  TailCall(at, function, *active);
  at.SetInsertPoint(alone);
  TailCall(at, function, idle);
}

bool CallsNothing(const CallBase& call) {
  if (isa<IntrinsicInst>(call) || call.isInlineAsm()) return true;
  const Function* callee = call.getCalledFunction();
  return callee != nullptr && callee->isDeclaration() &&
         callee->doesNotAccessMemory();
}

}  // namespace

void IdleCopies::Keep(Function& function, Constant* mode, Code code) {
  if (!MayHaveTwoBodies(function)) return;
  Function* idle = CopyFunction(function, function.getName() + ".idle");
  copies_[&function] = {
      .idle = idle, .mode = mode, .code = code, .asked = {mode}};
}

IdleCopies::Copy* IdleCopies::LeafOf(const CallBase& call) {
  Function* callee = call.getCalledFunction();
  if (callee == nullptr || callee->isInterposable()) return nullptr;
  const auto it = copies_.find(callee);
  if (it == copies_.end()) return nullptr;
  Absorb(it->second);
  return it->second.state == Copy::State::kLeaf ? &it->second : nullptr;
}

std::optional<IdleCopies::Leaf> IdleCopies::LeafAt(const CallBase& call) {
  const Copy* leaf = LeafOf(call);
  if (leaf == nullptr) return std::nullopt;
  return Leaf{.idle = leaf->idle, .asked = leaf->asked};
}

void IdleCopies::Absorb(Copy& copy) {
  if (copy.state != Copy::State::kUnseen) return;
  copy.state = Copy::State::kOpen;
  bool leaf = true;
  SmallSetVector<Constant*, 16> asked;
  asked.insert(copy.mode);
  for (Instruction& instruction : instructions(*copy.idle)) {
    auto* call = dyn_cast<CallBase>(&instruction);
    if (call == nullptr || CallsNothing(*call)) continue;
    const Copy* callee = LeafOf(*call);
    SmallSetVector<Constant*, 16> together = asked;
    if (callee != nullptr) {
      together.insert(callee->asked.begin(), callee->asked.end());
    }
    if (callee == nullptr || together.size() > kMostAsked) {
      leaf = false;
      continue;
    }
    asked = together;
    call->setCalledFunction(callee->idle);
  }
  copy.asked.assign(asked.begin(), asked.end());
  copy.state = leaf ? Copy::State::kLeaf : Copy::State::kNoLeaf;
}

void IdleCopies::Switch() {
  for (auto& [function, copy] : copies_) Absorb(copy);
  for (auto& [function, copy] : copies_) {
    WriteSwitch(*function, *copy.idle, copy.asked, copy.code);
  }
}

void FinishActiveBodies(Module& module) {
  for (Function& function : module) {
    if (!function.hasFnAttribute(kActiveBody)) continue;
    function.removeFnAttr(kActiveBody);
    function.removeFnAttr(Attribute::OptimizeNone);
  }
}

}  // namespace fairlead::pass
