#include "runtime/intercept/access.h"

#include "runtime/alloc/heap.h"
#include "runtime/emit/emitter.h"
#include "runtime/execution.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/watch.h"
#include "runtime/intercept/frames.h"
#include "runtime/model/cancel.h"
#include "runtime/model/misuse.h"
#include "runtime/sites/nodes.h"
#include "runtime/sites/sites.h"

namespace fairlead::rt {
namespace {

using abi::FunctionRecord;
using abi::SiteKind;
using abi::SiteRecord;
using abi::ThreadSlot;

struct KindFacts {
  EventKind event;
  bool reads;
  bool writes;
};

constexpr EventKind EventOf(SiteKind kind) {
  switch (kind) {
    case SiteKind::kAtomicLoad:
      return EventKind::kAtomicLoad;
    case SiteKind::kAtomicStore:
      return EventKind::kAtomicStore;
    case SiteKind::kRmw:
      return EventKind::kRmw;
    case SiteKind::kCas:
      return EventKind::kCas;
    case SiteKind::kFence:
      return EventKind::kFence;
    case SiteKind::kStore:
    case SiteKind::kRangeWrite:
    case SiteKind::kObjectWrite:
    case SiteKind::kAsm:
      return EventKind::kWrite;
    default:
      return EventKind::kRead;
  }
}

constexpr KindFacts kKinds[] = {
#define FL_SITE_KIND(name, word, number, reads, writes) \
  {EventOf(SiteKind::name), reads, writes},
#include "abi/sites.inc"
#undef FL_SITE_KIND
};
const KindFacts& FactsOf(const SiteRecord* site) {
  return kKinds[static_cast<size_t>(site->kind)];
}

uint16_t FlagsOf(const Thread& thread, const SiteRecord* site) {
  uint16_t flags = static_cast<uint16_t>(site->order);
  if (thread.at_point != 0) flags |= abi::kFlagPoint;
  if ((site->flags & abi::kSiteLibrary) != 0) flags |= abi::kFlagLibrary;
  if (FactsOf(site).writes) flags |= abi::kFlagWrites;
  return flags;
}

void CheckFreed(Thread& thread, const void* address) {
  if (!InHeap(address)) return;
  const Found found = FindBlock(address);
  if (found.slot != nullptr && found.slot->state == SlotState::kQuarantined) {
    ReportMisuse(thread, abi::Misuse::kUseAfterFree, address);
  }
}

// The point ahead of an access of `size` bytes.
__attribute__((noinline)) void Point(Thread& thread, const SiteRecord* site,
                                     const void* address, uint64_t size) {
  const KindFacts& facts = FactsOf(site);
  SettleWrite(thread);
  thread.place = PlaceOfSite(site);
  gate().ArriveForAccess(thread, facts.event, address);
  if (thread.leave.due) [[unlikely]]
    CancelSelf(thread);
  thread.at_point = 1;
  CheckFreed(thread, address);
  if (facts.writes) {
    WatchWrite(thread, address, size > 8 ? 9 : static_cast<uint32_t>(size));
  } else if (facts.reads && size <= 8) {
    WatchRead(thread, address, static_cast<uint32_t>(size));
  }
}

inline void Ahead(const SiteRecord* site, const void* address, uint64_t size,
                  uint64_t instructions) {
  Thread* thread = tls_self;
  if (thread == nullptr || thread->inside != 0) return;
  thread->unflushed = instructions;
  if (gate().num_live() < 2 || (thread->quiet | thread->marked) != 0) return;
  Point(*thread, site, address, size);
}

FL_HOOK_CC void Before(const SiteRecord* site, const void* address,
                       uint64_t instructions) {
  Ahead(site, address, site->size, instructions);
}

FL_HOOK_CC void BeforeRange(const SiteRecord* site, const void* address,
                            uint64_t size, uint64_t instructions) {
  Ahead(site, address, size, instructions);
}

// The thread whose access is to be told, with its place set; or null.
Thread* Teller(const SiteRecord* site) {
  Thread* thread = tls_self;
  if (thread == nullptr || thread->inside != 0) return nullptr;
  if (thread->at_point == 0) thread->place = PlaceOfSite(site);
  return thread;
}

FL_HOOK_CC void After(const SiteRecord* site, const void* address,
                      uint64_t value) {
  Thread* thread = Teller(site);
  if (thread == nullptr) return;
  emitter().EmitAccess(*thread, FactsOf(site).event, FlagsOf(*thread, site),
                       address, value, site->size);
  thread->at_point = 0;
}

FL_HOOK_CC void AfterRmw(const SiteRecord* site, const void* address,
                         uint64_t old_value, uint64_t new_value,
                         uint32_t success) {
  Thread* thread = Teller(site);
  if (thread == nullptr) return;
  uint16_t flags = FlagsOf(*thread, site);
  if (success != 0) flags |= abi::kFlagSuccess;
  emitter().EmitRmw(*thread, FactsOf(site).event, flags, address, new_value,
                    site->size, old_value);
  thread->at_point = 0;
}

FL_HOOK_CC void AfterRange(const SiteRecord* site, const void* address,
                           uint64_t size) {
  Thread* thread = Teller(site);
  if (thread == nullptr) return;
  emitter().EmitAccess(*thread, FactsOf(site).event, FlagsOf(*thread, site),
                       address, 0, size);
  thread->at_point = 0;
}

FL_HOOK_CC ThreadSlot* Enter(const FunctionRecord* function,
                             const void* const* pointers) {
  Thread* thread = tls_self;
  if (thread == nullptr || thread->inside != 0) return nullptr;
  if (thread->launching && (function->flags & abi::kFunctionLibrary) == 0)
      [[unlikely]] {
    thread->launching = false;
    --thread->quiet;
  }
  if (TellsFrames(function)) [[unlikely]] {
    EnterFrame(*thread, function, pointers);
  }
  return &thread->slot;
}

// The slot is the first member of its thread.
Thread& ThreadOf(ThreadSlot* slot) { return *reinterpret_cast<Thread*>(slot); }
static_assert(offsetof(Thread, slot) == 0);

// Frames that were entered before a fork still hold their slot in the child,
// where there is nobody to tell.
FL_HOOK_CC void Exit(const FunctionRecord*, ThreadSlot* slot) {
  if (control_page() == nullptr) [[unlikely]]
    return;
  Thread& thread = ThreadOf(slot);
  thread.unflushed = 0;  // the frame has told its slot
  if (slot->depth > 0) LeaveFrames(thread, slot->depth - 1);
}

FL_HOOK_CC void Call(const SiteRecord* site, ThreadSlot* slot, uint32_t base,
                     uint64_t instructions) {
  if (control_page() == nullptr) [[unlikely]]
    return;
  slot->node = ChildNode(base, site);
  slot->instructions += instructions;
}

FL_HOOK_CC void Unwound(const FunctionRecord*, ThreadSlot* slot,
                        uint64_t state) {
  if (control_page() == nullptr) [[unlikely]]
    return;
  LeaveFrames(ThreadOf(slot), static_cast<uint32_t>(state >> 32));
  slot->node = static_cast<uint32_t>(state);
  slot->depth = static_cast<uint32_t>(state >> 32);
}

}  // namespace

void FillHooks(abi::Hooks& hooks) {
  hooks = {.before = Before,
           .before_range = BeforeRange,
           .after = After,
           .after_rmw = AfterRmw,
           .after_range = AfterRange,
           .enter = Enter,
           .exit = Exit,
           .call = Call,
           .unwound = Unwound};
}

}  // namespace fairlead::rt
