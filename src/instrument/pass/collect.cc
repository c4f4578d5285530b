#include "instrument/pass/collect.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "instrument/pass/bounds.h"
#include "instrument/pass/feeds.h"
#include "instrument/pass/fields.h"
#include "instrument/pass/function_facts.h"
#include "instrument/pass/library_calls.h"

namespace fairlead::pass {
namespace {

using namespace llvm;
using abi::MemoryOrder;
using abi::SiteKind;

MemoryOrder OrderOf(AtomicOrdering ordering) {
  switch (ordering) {
    case AtomicOrdering::NotAtomic:
      return MemoryOrder::kPlain;
    case AtomicOrdering::Unordered:
      return MemoryOrder::kUnordered;
    case AtomicOrdering::Monotonic:
      return MemoryOrder::kRelaxed;
    case AtomicOrdering::Acquire:
      return MemoryOrder::kAcquire;
    case AtomicOrdering::Release:
      return MemoryOrder::kRelease;
    case AtomicOrdering::AcquireRelease:
      return MemoryOrder::kAcqRel;
    case AtomicOrdering::SequentiallyConsistent:
      return MemoryOrder::kSeqCst;
  }
  return MemoryOrder::kSeqCst;
}

// A slot of a virtual table: constant, although the code does not say so. In
// C++ such a load indexes an array of pointers by a constant and is called.
bool IsVirtualTableSlot(const LoadInst& load) {
  const auto* slot = dyn_cast<GetElementPtrInst>(load.getPointerOperand());
  if (slot == nullptr || !slot->getSourceElementType()->isPointerTy() ||
      !slot->hasAllConstantIndices() ||
      !isa<LoadInst>(slot->getPointerOperand()) || !load.hasOneUse()) {
    return false;
  }
  const auto* call = dyn_cast<CallBase>(load.user_back());
  return call != nullptr && call->getCalledOperand() == &load;
}

bool IsPointerLocal(const Value* place) {
  const auto* local = dyn_cast<AllocaInst>(place);
  return local != nullptr && local->getAllocatedType()->isPointerTy();
}

// Clang moves the operands and results of atomic operations on pointers as
// integers through locals of pointer type.
bool IsPointerInDisguise(const Value& value) {
  if (!value.getType()->isIntegerTy()) return false;
  if (const auto* load = dyn_cast<LoadInst>(&value);
      load != nullptr && IsPointerLocal(load->getPointerOperand())) {
    return true;
  }
  return any_of(value.users(), [&](const User* user) {
    const auto* store = dyn_cast<StoreInst>(user);
    return store != nullptr && store->getValueOperand() == &value &&
           IsPointerLocal(store->getPointerOperand());
  });
}

// What a constructor or destructor puts into its object: the address of a
// virtual table of its class.
bool IsVirtualTable(const Value& value) {
  const auto* table = dyn_cast<GlobalVariable>(value.stripInBoundsOffsets());
  return table != nullptr && table->getName().starts_with("_ZTV");
}

// The bit for a value that an atomic operation reads or writes.
uint32_t PointerBit(const Value& value) {
  return IsPointerInDisguise(value) ? abi::kSitePointer : 0u;
}

// Calls of the compiler's own run-time checks; nothing of ours happens inside.
bool IsCheckerCall(StringRef name) {
  return name.starts_with("__ubsan_") || name.starts_with("__asan_") ||
         name.starts_with("__sanitizer_") || name.starts_with("__fl_");
}

bool IsAllocation(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  if (callee == nullptr) return false;
  const StringRef name = callee->getName();
  for (StringRef prefix : {"_Znwm", "_Znam", "__cxa_allocate_exception"}) {
    if (name.starts_with(prefix)) return true;
  }
  for (StringRef exact :
       {"malloc", "calloc", "realloc", "reallocarray", "aligned_alloc",
        "posix_memalign", "memalign", "valloc", "strdup", "strndup"}) {
    if (name == exact) return true;
  }
  return false;
}

// std::atomic<std::shared_ptr<T>> of libstdc++: a bit of a pointer is its lock,
// and readers give it back without ordering what they have read, which is a
// race by the language's rules, but never the program's.
bool GuardsItself(StringRef name) {
  return name.starts_with("_ZNSt10_Sp_atomicI") ||
         name.starts_with("_ZNKSt10_Sp_atomicI");
}

bool IsPlain(const Instruction& at) {
  return isa<LoadInst, StoreInst>(at) && !at.isAtomic();
}

class Collector {
 public:
  Collector(Function& function, Locals& locals, const TypeCatalogue& types)
      : function_(function),
        locals_(locals),
        types_(types),
        sizes_(function.getParent()->getDataLayout()),
        dominators_(function),
        loops_(dominators_),
        this_(ThisOf(function)),
        guards_itself_(GuardsItself(function.getName())) {
    unsigned number = 0;
    for (Loop* loop : loops_.getLoopsInPreorder()) {
      loop_numbers_[loop] = ++number;
    }
  }

  Sites Run() {
    for (BasicBlock& block : function_) {
      for (Instruction& instruction : block) Visit(instruction);
      ++block_;
    }
    return std::move(sites_);
  }

 private:
  void Visit(Instruction& at) {
    if (guards_itself_ && IsPlain(at)) return;
    if (auto* load = dyn_cast<LoadInst>(&at)) {
      if (!IsVirtualTableSlot(*load)) AddLoad(*load);
    } else if (auto* store = dyn_cast<StoreInst>(&at)) {
      AddStore(*store);
    } else if (auto* rmw = dyn_cast<AtomicRMWInst>(&at)) {
      Add({.at = rmw,
           .kind = SiteKind::kRmw,
           .address = rmw->getPointerOperand(),
           .order = OrderOf(rmw->getOrdering()),
           .flags = (rmw->isVolatile() ? abi::kSiteVolatile : 0u) |
                    PointerBit(*rmw->getValOperand())},
          rmw->getValOperand()->getType());
    } else if (auto* cas = dyn_cast<AtomicCmpXchgInst>(&at)) {
      AddCas(*cas);
    } else if (auto* fence = dyn_cast<FenceInst>(&at)) {
      AddFence(*fence);
    } else if (auto* call = dyn_cast<CallBase>(&at)) {
      AddCall(*call);
    }
  }

  void AddLoad(LoadInst& load) {
    if (locals_.IsPrivate(load.getPointerOperand())) return;
    Add({.at = &load,
         .kind = load.isAtomic() ? SiteKind::kAtomicLoad : SiteKind::kLoad,
         .address = load.getPointerOperand(),
         .order = OrderOf(load.getOrdering()),
         .flags = (load.isVolatile() ? abi::kSiteVolatile : 0u) |
                  (load.isAtomic() ? PointerBit(load) : 0u) |
                  (IsBound(load, loops_, locals_) ? abi::kSiteBound : 0u) |
                  FeedsOf(&load, locals_)},
        load.getType());
  }

  void AddStore(StoreInst& store) {
    Add({.at = &store,
         .kind = store.isAtomic() ? SiteKind::kAtomicStore : SiteKind::kStore,
         .address = store.getPointerOperand(),
         .order = OrderOf(store.getOrdering()),
         .flags =
             (store.isVolatile() ? abi::kSiteVolatile : 0u) |
             (IsVirtualTable(*store.getValueOperand()) ? abi::kSiteVtable
                                                       : 0u) |
             (store.isAtomic() ? PointerBit(*store.getValueOperand()) : 0u)},
        store.getValueOperand()->getType());
  }

  void AddCas(AtomicCmpXchgInst& cas) {
    Add({.at = &cas,
         .kind = SiteKind::kCas,
         .address = cas.getPointerOperand(),
         .order = OrderOf(cas.getSuccessOrdering()),
         .failure_order = OrderOf(cas.getFailureOrdering()),
         .flags = (cas.isVolatile() ? abi::kSiteVolatile : 0u) |
                  (cas.isWeak() ? abi::kSiteWeakCas : 0u) |
                  PointerBit(*cas.getNewValOperand())},
        cas.getNewValOperand()->getType());
  }

  void AddFence(FenceInst& fence) {
    const bool own_thread = fence.getSyncScopeID() == SyncScope::SingleThread;
    Push({.at = &fence,
          .kind = SiteKind::kFence,
          .order = OrderOf(fence.getOrdering()),
          .flags = own_thread ? abi::kSiteSignalFence : 0u});
  }

  void AddCall(CallBase& call) {
    if (auto* transfer = dyn_cast<AnyMemTransferInst>(&call)) {
      AddIntrinsicRange(call, SiteKind::kRangeRead, transfer->getRawSource(),
                        transfer->getLength());
      AddIntrinsicRange(call, SiteKind::kRangeWrite, transfer->getRawDest(),
                        transfer->getLength());
    } else if (auto* set = dyn_cast<AnyMemSetInst>(&call)) {
      AddIntrinsicRange(call, SiteKind::kRangeWrite, set->getRawDest(),
                        set->getLength());
    } else if (call.isInlineAsm()) {
      AddAsm(call);
    } else if (!isa<IntrinsicInst>(call)) {
      AddOrdinaryCall(call);
    }
  }

  void AddIntrinsicRange(CallBase& call, SiteKind kind, Value* address,
                         Value* length) {
    Site site{.at = &call, .kind = kind, .address = address};
    if (const auto* bytes = dyn_cast<ConstantInt>(length)) {
      site.size = bytes->getZExtValue();
      if (site.size == 0) return;
    } else {
      site.length = {.rule = Length::Rule::kValue, .a = length};
    }
    Add(site, nullptr);
  }

  // An empty template is a barrier for the compiler and touches nothing.
  void AddAsm(CallBase& call) {
    const auto* code = cast<InlineAsm>(call.getCalledOperand());
    if (code->getAsmString().empty()) return;
    unsigned argument = 0;
    bool names_memory = false, clobbers_memory = false;
    SmallVector<Value*, 4> pointers;
    for (const InlineAsm::ConstraintInfo& constraint :
         code->ParseConstraints()) {
      if (constraint.Type == InlineAsm::isClobber) {
        clobbers_memory |= is_contained(constraint.Codes, "{memory}");
        continue;
      }
      if (constraint.Type == InlineAsm::isLabel || !constraint.hasArg()) {
        continue;
      }
      const unsigned index = argument++;
      Value* operand = call.getArgOperand(index);
      if (constraint.isIndirect) {
        names_memory = true;
        AddAsmOperand(call, operand, call.getParamElementType(index));
      } else if (operand->getType()->isPointerTy()) {
        pointers.push_back(operand);
      }
    }
    if (names_memory || !clobbers_memory) return;
    // Memory that only the clobber list speaks of: pointers in registers may
    // lead to it; without any there is no address to tell.
    for (Value* pointer : pointers) AddAsmOperand(call, pointer, nullptr);
    if (pointers.empty()) Push({.at = &call, .kind = SiteKind::kAsm});
  }

  // `type` null: the size is not known, and told as 0.
  void AddAsmOperand(CallBase& call, Value* address, Type* type) {
    const bool sized = type != nullptr && type->isSized();
    Add({.at = &call,
         .kind = SiteKind::kAsm,
         .address = address,
         .size = sized ? sizes_.getTypeStoreSize(type).getFixedValue() : 0,
         // Whoever writes assembly about memory mostly wants to synchronise.
         .order = MemoryOrder::kSeqCst},
        nullptr);
  }

  void AddOrdinaryCall(CallBase& call) {
    const Function* callee = call.getCalledFunction();
    if (callee != nullptr && IsCheckerCall(callee->getName())) return;
    LibraryCall library = LibraryCallOf(call);
    for (Site& range : library.ranges) {
      // What the library keeps has a type of its own, and is nobody's local.
      range.layout != nullptr ? Push(range) : Add(range, nullptr);
    }
    if (library.quiet) return;
    Site site{.at = &call,
              .kind = IsAllocation(call) ? SiteKind::kAlloc : SiteKind::kCall};
    if (MDNode* allocated = call.getMetadata("heapallocsite")) {
      site.type = types_.Definition(dyn_cast<DICompositeType>(allocated));
    }
    if (site.kind == SiteKind::kCall) AddHandedField(call, site);
    Push(site);
  }

  // Which field of the program's own structs a call gets the address of: what
  // a library does there is done to that field. The first argument that has
  // one.
  void AddHandedField(const CallBase& call, Site& site) {
    for (const Value* argument : call.args()) {
      if (!argument->getType()->isPointerTy()) continue;
      const FieldPath path = FieldPathOf(argument, sizes_);
      if (path.layout == nullptr || path.indexed || path.layout->isLiteral() ||
          IsOfLibrary(*path.layout)) {
        continue;
      }
      site.type = types_.Resolve(*path.layout, sizes_, function_);
      if (site.type == nullptr) continue;
      site.field_offset = path.offset;
      return;
    }
  }

  static bool IsOfLibrary(const StructType& layout) {
    const std::string name = PlainName(layout);
    return StringRef(name).starts_with("std::") ||
           StringRef(name).starts_with("__");
  }

  // Adds an access unless nobody else can see it. `value`: type of the value
  // loaded or stored; null for ranges.
  void Add(Site site, Type* value) {
    if (site.address == nullptr ||
        site.address->getType()->getPointerAddressSpace() != 0 ||
        locals_.IsPrivate(site.address)) {
      return;
    }
    if (value != nullptr) {
      site.size = sizes_.getTypeStoreSize(value).getKnownMinValue();
      if (value->isPointerTy()) site.flags |= abi::kSitePointer;
      if (value->isFloatingPointTy()) site.flags |= abi::kSiteFloat;
      const bool scalar = value->isPointerTy() || value->isIntegerTy() ||
                          value->isFloatingPointTy();
      if (!scalar || site.size > 8) site.flags |= abi::kSiteNoValue;
    }
    const FieldPath path = FieldPathOf(site.address, sizes_);
    if (path.layout != nullptr) {
      site.layout = path.layout;
      site.field_offset = path.offset;
      site.type = types_.Resolve(*path.layout, sizes_, function_);
      if (path.indexed) site.flags |= abi::kSiteIndexed;
    }
    if (path.annotated) site.flags |= abi::kSiteAnnotated;
    if (IsThis(path.base)) site.flags |= abi::kSiteThis;
    Push(site);
  }

  // Clang keeps `this` in a local that nothing else is put into.
  bool IsThis(const Value* base) const {
    if (this_ == nullptr) return false;
    if (base == this_) return true;
    const auto* load = dyn_cast<LoadInst>(base);
    return load != nullptr && any_of(this_->users(), [&](const User* user) {
             const auto* store = dyn_cast<StoreInst>(user);
             return store != nullptr && store->getValueOperand() == this_ &&
                    store->getPointerOperand() == load->getPointerOperand();
           });
  }

  void Push(Site site) {
    site.block = block_;
    if (const Loop* loop = loops_.getLoopFor(site.at->getParent())) {
      site.loop = loop_numbers_.lookup(loop);
    }
    if (const DebugLoc& where = site.at->getDebugLoc()) {
      site.line = where.getLine();
      site.column = where.getCol();
      site.file = cast<DIScope>(where.getScope())->getFile();
    } else if (const DISubprogram* subprogram = function_.getSubprogram()) {
      site.file = subprogram->getFile();
    }
    sites_.push_back(site);
  }

  Function& function_;
  Locals& locals_;
  const TypeCatalogue& types_;
  const DataLayout& sizes_;
  DominatorTree dominators_;
  LoopInfo loops_;
  const Argument* this_;  // null = there is none
  const bool guards_itself_;
  DenseMap<const Loop*, unsigned> loop_numbers_;
  unsigned block_ = 0;
  Sites sites_;
};

}  // namespace

Sites CollectSites(Function& function, Locals& locals,
                   const TypeCatalogue& types) {
  return Collector(function, locals, types).Run();
}

}  // namespace fairlead::pass
