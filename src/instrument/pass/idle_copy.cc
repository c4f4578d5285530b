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

#include "instrument/pass/blocks.h"
#include "instrument/pass/copy_function.h"
#include "instrument/pass/lines.h"

namespace fairlead::pass {
namespace {

using namespace llvm;

// The switch loads this many bytes at most. Beyond, a call is worth its own
// test: such a function is not small.
constexpr size_t kMostAsked = 8;

// Locals of so many bytes are too many to lie on the stack twice, once for the
// idle body and once for the active one that it calls.
constexpr uint64_t kMostTwice = 512;
// And so many not even where the idle body would become a part of its caller.
constexpr uint64_t kMostInlined = 4096;

// Linkers put sections of this prefix together, away from what runs often.
constexpr char kBodies[] = ".text.unlikely.fl_bodies";

uint64_t BytesOfLocals(const Function& function) {
  const DataLayout& layout = function.getParent()->getDataLayout();
  uint64_t bytes = 0;
  for (const Instruction& instruction : function.getEntryBlock()) {
    const auto* local = dyn_cast<AllocaInst>(&instruction);
    if (local == nullptr || !local->isStaticAlloca()) continue;
    if (const auto size = local->getAllocationSize(layout)) {
      bytes += size->getFixedValue();
    }
  }
  return bytes;
}

// Of parameters that are copies in the caller's frame.
uint64_t BytesOfCopies(const Function& function) {
  const DataLayout& layout = function.getParent()->getDataLayout();
  uint64_t bytes = 0;
  for (const Argument& argument : function.args()) {
    if (argument.hasByValAttr()) {
      bytes += layout.getTypeAllocSize(argument.getParamByValType());
    }
  }
  return bytes;
}

// Whether the code generator may keep the frame of `function` during a call at
// its end: it does so for results in memory, for frames that are aligned, as
// those of AddressSanitizer are, and where it is told to.
bool MayKeepFrame(const Function& function) {
  if (function.hasStructRetAttr() ||
      function.hasFnAttribute(Attribute::SanitizeAddress) ||
      function.hasFnAttribute("disable-tail-calls")) {
    return true;
  }
  return any_of(function.getEntryBlock(), [](const Instruction& instruction) {
    const auto* local = dyn_cast<AllocaInst>(&instruction);
    return local != nullptr && local->getAlign() > Align(16);
  });
}

// Whether the switch must not be in a frame with the locals of the idle body.
bool MustStandApart(const Function& function) {
  if (function.hasFnAttribute(Attribute::AlwaysInline)) return false;
  const uint64_t locals = BytesOfLocals(function);
  return locals > kMostInlined ||
         (locals > kMostTwice && MayKeepFrame(function));
}

bool MayHaveTwoBodies(const Function& function) {
  // Who passes copies on keeps its frame while it waits (TailCall).
  const uint64_t copies = BytesOfCopies(function);
  if (copies != 0 && copies + BytesOfLocals(function) > kMostTwice) {
    return false;
  }
  if (function.hasOptNone() || function.isPresplitCoroutine() ||
      function.hasAvailableExternallyLinkage() || function.isVarArg()) {
    return false;
  }
  return none_of(function, [](const BasicBlock& block) {
    return block.hasAddressTaken();
  });
}

// Names of templates are long, and each would be in the object twice more.
// Whoever reads names of libraries has them from debug information.
std::string Shortened(StringRef name) {
  const XXH128_hash_t hash = xxh3_128bits(arrayRefFromStringRef(name));
  return ("__fl_body." + utohexstr(hash.high64, /*LowerCase=*/true, 16) +
          utohexstr(hash.low64, /*LowerCase=*/true, 16));
}

void PlaceInUnit(Function& body) {
  body.setComdat(nullptr);
  body.setLinkage(GlobalValue::InternalLinkage);
  body.setVisibility(GlobalValue::DefaultVisibility);
}

// A body that one translation unit alone uses is internal; one that the linker
// merges by name is merged by name again. That name tells what its switch asks
// for, because the linker chooses switch and bodies independently.
void PlaceBeside(const Function& function, Function& body, StringRef asked,
                 IdleCopies::Code code) {
  if (!function.hasLinkOnceODRLinkage() && !function.hasWeakODRLinkage()) {
    return PlaceInUnit(body);
  }
  body.setLinkage(GlobalValue::LinkOnceODRLinkage);
  body.setVisibility(GlobalValue::HiddenVisibility);
  body.setDSOLocal(true);
  const std::string name = (body.getName() + "." + asked).str();
  body.setName(code == IdleCopies::Code::kLibrary ? Shortened(name) : name);
  body.setComdat(body.getParent()->getOrInsertComdat(body.getName()));
}

// Active bodies of a library's functions lie together, each unit's own ones: a
// section, a group, a table of relocations and a long name for each took the
// compiler a tenth of its time, and a tenth of the object.
void PlaceActive(const Function& function, Function& active, StringRef asked,
                 IdleCopies::Code code) {
  if (code != IdleCopies::Code::kLibrary) {
    return PlaceBeside(function, active, asked, code);
  }
  PlaceInUnit(active);
  active.setName("__fl_body");
  active.setSection(kBodies);
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

// With TCK_MustTail the frame of `from` is gone when `to` begins.
void TailCall(IRBuilder<>& at, Function& from, Function& to,
              CallInst::TailCallKind kind) {
  SmallVector<Value*, 8> arguments;
  for (Argument& argument : from.args()) arguments.push_back(&argument);
  CallInst* call = at.CreateCall(to.getFunctionType(), &to, arguments);
  // A parameter that is a copy in the caller's frame must outlive the call.
  if (BytesOfCopies(from) == 0) call->setTailCallKind(kind);
  call->setCallingConv(from.getCallingConv());
  call->setAttributes(SignatureAttributes(from));
  if (call->getType()->isVoidTy()) {
    at.CreateRetVoid();
  } else {
    at.CreateRet(call);
  }
}

// A local that is named so often stays on the stack. A register for it is one
// in all blocks of a long function, where each copy of it that the code
// generator tries to get rid of takes time that grows with the number of those
// blocks; in the end it lies on the stack all the same, with a move and two
// rows of the line table wherever it comes back.
constexpr unsigned kManyUses = 64;
// And in so many blocks every local does that is stored to here and there: to
// find the blocks where its values meet, all that its stores dominate are seen.
constexpr size_t kManyBlocks = 512;

bool HasOneStore(const AllocaInst& local) {
  return count_if(local.users(), IsaPred<StoreInst>) <= 1;
}

// Locals that nobody else can see go to registers: all that the optimizer could
// do for code between hooks, at little cost.
void PromoteLocals(Function& function) {
  const bool is_long = function.size() >= kManyBlocks;
  SmallVector<AllocaInst*, 16> locals;
  for (Instruction& instruction : function.getEntryBlock()) {
    auto* local = dyn_cast<AllocaInst>(&instruction);
    if (local == nullptr || local->hasNUsesOrMore(kManyUses)) continue;
    if (is_long && !HasOneStore(*local)) continue;
    if (isAllocaPromotable(local)) locals.push_back(local);
  }
  if (locals.empty()) return;
  DominatorTree tree(function);
  PromoteMemToReg(locals, tree);
}

void TakeArguments(Function& from, Function& to) {
  for (auto [old, fresh] : zip(from.args(), to.args())) {
    fresh.takeName(&old);
    old.replaceAllUsesWith(&fresh);
  }
}

// Moves the body of `function` into a function of its own.
Function* MoveBody(Function& function, StringRef asked, IdleCopies::Code code) {
  auto* active =
      Function::Create(function.getFunctionType(), GlobalValue::InternalLinkage,
                       function.getAddressSpace(),
                       function.getName() + ".active", function.getParent());
  active->copyAttributesFrom(&function);
  active->setPrefixData(nullptr);
  active->setLinkage(GlobalValue::InternalLinkage);
  PlaceActive(function, *active, asked, code);
  active->splice(active->begin(), &function);
  TakeArguments(function, *active);
  SmallVector<std::pair<unsigned, MDNode*>, 4> metadata;
  function.getAllMetadata(metadata);
  for (const auto& [kind, node] : metadata) active->addMetadata(kind, *node);
  function.setSubprogram(nullptr);
  function.setPersonalityFn(nullptr);
  active->removeFnAttr(Attribute::AlwaysInline);
  active->removeFnAttr(Attribute::InlineHint);
  active->addFnAttr(Attribute::Cold);
  // Its hooks take the time; optimising around them would take the compiler's.
  active->removeFnAttr(Attribute::OptimizeForSize);
  active->removeFnAttr(Attribute::MinSize);
  active->addFnAttr(Attribute::NoInline);
  active->addFnAttr(Attribute::OptimizeNone);
  return active;
}

// The body of `idle`, which is no longer needed, becomes that of `function`.
// Returns the instruction that the switch stands ahead of.
Instruction* TakeBody(Function& function, Function& idle) {
  function.splice(function.begin(), &idle);
  TakeArguments(idle, function);
  DISubprogram* subprogram = idle.getSubprogram();
  idle.setSubprogram(nullptr);
  function.setSubprogram(subprogram);
  if (idle.hasPersonalityFn()) {
    function.setPersonalityFn(idle.getPersonalityFn());
  }
  idle.eraseFromParent();
  return BehindStaticLocals(function.getEntryBlock());
}

bool CallsNothing(const CallBase& call) {
  if (isa<IntrinsicInst>(call) || call.isInlineAsm()) return true;
  const Function* callee = call.getCalledFunction();
  return callee != nullptr && callee->isDeclaration() &&
         callee->doesNotAccessMemory();
}

}  // namespace

// Equal for switches that ask for the same functions, in any translation unit.
std::string IdleCopies::AskedName(const Copy& copy) {
  std::string ids;
  for (const Copy* one : copy.asked) {
    ids.append(reinterpret_cast<const char*>(&one->kept.id), 8);
  }
  return utohexstr(xxh3_64bits(ids), /*LowerCase=*/true, 16);
}

SmallVector<uint64_t, 4> IdleCopies::ModesOf(const Copy& copy) {
  SmallVector<uint64_t, 4> modes;
  for (const Copy* one : copy.asked) modes.push_back(one->kept.mode);
  return modes;
}

void IdleCopies::Keep(const Kept& kept) {
  if (!MayHaveTwoBodies(*kept.function)) return;
  Function* idle =
      CopyFunction(*kept.function, kept.function->getName() + ".idle");
  auto copy = std::make_unique<Copy>(Copy{.kept = kept,
                                          .idle = idle,
                                          .active = nullptr,
                                          .asked = {},
                                          .state = Copy::State::kUnseen,
                                          .called = false});
  copy->asked.push_back(copy.get());
  copies_[kept.function] = std::move(copy);
}

IdleCopies::Copy* IdleCopies::LeafOf(const CallBase& call) {
  Function* callee = call.getCalledFunction();
  if (callee == nullptr || callee->isInterposable()) return nullptr;
  const auto it = copies_.find(callee);
  if (it == copies_.end()) return nullptr;
  Copy& copy = *it->second;
  Absorb(copy);
  return copy.state == Copy::State::kLeaf ? &copy : nullptr;
}

std::optional<IdleCopies::Leaf> IdleCopies::LeafAt(const CallBase& call) {
  Copy* leaf = LeafOf(call);
  if (leaf == nullptr) return std::nullopt;
  leaf->called = true;
  return Leaf{.idle = leaf->idle, .asked = ModesOf(*leaf)};
}

void IdleCopies::Absorb(Copy& copy) {
  if (copy.state != Copy::State::kUnseen) return;
  copy.state = Copy::State::kOpen;
  bool leaf = true;
  SmallSetVector<const Copy*, 16> asked;
  asked.insert(&copy);
  for (Instruction& instruction : instructions(*copy.idle)) {
    auto* call = dyn_cast<CallBase>(&instruction);
    if (call == nullptr || CallsNothing(*call)) continue;
    Copy* callee = LeafOf(*call);
    SmallSetVector<const Copy*, 16> together = asked;
    if (callee != nullptr) {
      together.insert(callee->asked.begin(), callee->asked.end());
    }
    if (callee == nullptr || together.size() > kMostAsked) {
      leaf = false;
      continue;
    }
    asked = together;
    call->setCalledFunction(callee->idle);
    callee->called = true;
  }
  copy.asked.assign(asked.begin(), asked.end());
  copy.state = leaf ? Copy::State::kLeaf : Copy::State::kNoLeaf;
}

void IdleCopies::WriteSwitch(Copy& copy, Constant* functions) {
  Function& function = *copy.kept.function;
  const bool apart = MustStandApart(*copy.idle);
  if (apart) {
    copy.called = true;
    copy.idle->removeFnAttr(Attribute::InlineHint);
    copy.idle->addFnAttr(Attribute::NoInline);
  }
  const std::string asked = AskedName(copy);
  copy.active = MoveBody(function, asked, copy.kept.code);
  if (copy.kept.code == Code::kLibrary) silent_.WriteInto(*copy.active);
  KeepLinesOnly(*copy.active);
  PromoteLocals(*copy.active);
  LLVMContext& context = function.getContext();
  auto* watched = BasicBlock::Create(context, "active");
  IRBuilder<> at(context);
  BasicBlock* alone = nullptr;
  if (copy.called) {
    PlaceBeside(function, *copy.idle, asked, copy.kept.code);
    at.SetInsertPoint(BasicBlock::Create(context, "", &function));
    alone = BasicBlock::Create(context, "idle", &function);
    IRBuilder<> calling(alone);
    TailCall(calling, function, *copy.idle, CallInst::TCK_Tail);
  } else {
    Instruction* first = TakeBody(function, *copy.idle);
    BasicBlock* entry = first->getParent();
    alone = entry->splitBasicBlock(first, "idle");
    entry->getTerminator()->eraseFromParent();
    at.SetInsertPoint(entry);
    copy.idle = nullptr;
  }
  Value* any = LoadModes(at, PlacesOf(at, functions, ModesOf(copy)));
  at.CreateCondBr(at.CreateICmpNE(any, at.getInt8(0)), watched, alone,
                  MDBuilder(context).createUnlikelyBranchWeights());
  watched->insertInto(&function);
  IRBuilder<> telling(watched);
  // Code without a place cannot be taken over by a function that has one; line
  // 0 is nobody's, so that the switch is in no stack.
  if (DISubprogram* subprogram = function.getSubprogram()) {
    telling.SetCurrentDebugLocation(DILocation::get(context, 0, 0, subprogram));
  }
  // A function that may also hold the idle body gets no such promise: the
  // optimizer breaks it where it makes loops of recursion.
  TailCall(telling, function, *copy.active,
           apart ? CallInst::TCK_MustTail : CallInst::TCK_Tail);
}

Function* IdleCopies::ActiveOf(const CallBase& call, Code caller) {
  Function* callee = call.getCalledFunction();
  if (callee == nullptr || callee->isInterposable()) return nullptr;
  const auto it = copies_.find(callee);
  if (it == copies_.end()) return nullptr;
  const Copy& copy = *it->second;
  const bool among_libraries =
      caller == Code::kLibrary && copy.kept.code == Code::kLibrary;
  const bool taken_over = call.hasFnAttr(Attribute::AlwaysInline);
  return among_libraries || taken_over ? copy.active : nullptr;
}

void IdleCopies::LinkBodies() {
  for (CallBase* call : asked_) {
    call->setCalledFunction(copies_[call->getCalledFunction()]->active);
  }
  for (auto& [function, copy] : copies_) {
    for (Instruction& instruction : instructions(*copy->active)) {
      auto* call = dyn_cast<CallBase>(&instruction);
      if (call == nullptr) continue;
      if (Function* active = ActiveOf(*call, copy->kept.code)) {
        call->setCalledFunction(active);
      }
    }
  }
}

void IdleCopies::Switch(Constant* functions) {
  for (auto& [function, copy] : copies_) Absorb(*copy);
  for (auto& [function, copy] : copies_) WriteSwitch(*copy, functions);
  LinkBodies();
}

}  // namespace fairlead::pass
