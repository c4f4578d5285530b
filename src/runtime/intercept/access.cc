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
using abi::SiteRecord;
using abi::ThreadSlot;

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
  const SiteFacts& facts = FactsOf(site);
  SettleWrite(thread);
  thread.place = PlaceOf(facts);
  gate().ArriveForAccess(thread, facts.kind, address, size);
  if (thread.leave.due) [[unlikely]]
    CancelSelf(thread);
  thread.slot.at_point = 1;
  CheckFreed(thread, address);
  if ((facts.flags & abi::kFlagWrites) != 0) {
    WatchWrite(thread, address, size > 8 ? 9 : static_cast<uint32_t>(size));
  } else if (facts.kind != EventKind::kFence && size <= 8) {
    WatchRead(thread, address, static_cast<uint32_t>(size));
  }
}

// An access that is no point, told to a strategy that wants to know.
__attribute__((noinline)) void TellUnstopped(Thread& thread,
                                             const SiteRecord* site,
                                             const void* address, uint64_t size,
                                             uint64_t instructions) {
  const SiteFacts& facts = FactsOf(site);
  thread.unflushed = instructions;
  SettleContext(thread);
  thread.place = PlaceOf(facts);
  gate().Tell(thread, facts.kind, address, size);
}

inline void Ahead(const SiteRecord* site, const void* address, uint64_t size,
                  uint64_t instructions) {
  Thread* thread = tls_self;
  if (thread == nullptr || thread->slot.inside != 0) return;
  if (gate().num_live() < 2 || (thread->quiet | thread->marked) != 0) {
    if (gate().watches_all()) [[unlikely]]
      TellUnstopped(*thread, site, address, size, instructions);
    return;
  }
  thread->unflushed = instructions;
  SettleContext(*thread);
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

// The thread whose access is to be told; or null.
inline Thread* Teller(uint64_t instructions) {
  Thread* thread = tls_self;
  if (thread == nullptr || thread->slot.inside != 0) return nullptr;
  thread->unflushed = instructions;
  SettleContext(*thread);
  return thread;
}

// Its flags besides those of the site, with its place set.
inline uint16_t PlaceAndFlags(Thread& thread, const SiteFacts& facts) {
  thread.place = PlaceOf(facts);
  const uint16_t flags =
      thread.slot.at_point != 0 ? facts.flags | abi::kFlagPoint : facts.flags;
  thread.slot.at_point = 0;
  return flags;
}

__attribute__((noinline)) FL_HOOK_CC void AfterSlowly(const SiteRecord* site,
                                                      const void* address,
                                                      uint64_t value,
                                                      uint64_t instructions) {
  Thread* thread = Teller(instructions);
  if (thread == nullptr) return;
  const SiteFacts& facts = FactsOf(site);
  const uint16_t flags = PlaceAndFlags(*thread, facts);
  emitter().EmitAccess(*thread, facts.kind, flags, address, value, site->size);
}

// Where frames cannot write events themselves. Calls nobody but AfterSlowly,
// which keeps registers as a hook does: then there are few to save.
FL_HOOK_CC void After(const SiteRecord* site, const void* address,
                      uint64_t value, uint64_t instructions) {
  Thread* thread = tls_self;
  const auto at = static_cast<size_t>(site - first_site_table.begin);
  if (thread == nullptr || thread->slot.inside != 0 ||
      thread->slot.call != nullptr || at >= first_site_table.count ||
      !Emitter::TryEmitPlain(*thread, first_site_table.facts[at], address,
                             value, instructions)) [[unlikely]] {
    AfterSlowly(site, address, value, instructions);
  }
}

FL_HOOK_CC void AfterRmw(const SiteRecord* site, const void* address,
                         uint64_t old_value, uint64_t new_value,
                         uint32_t success, uint64_t instructions) {
  Thread* thread = Teller(instructions);
  if (thread == nullptr) return;
  const SiteFacts& facts = FactsOf(site);
  uint16_t flags = PlaceAndFlags(*thread, facts);
  if (success != 0) flags |= abi::kFlagSuccess;
  emitter().EmitRmw(*thread, facts.kind, flags, address, new_value, site->size,
                    old_value);
}

FL_HOOK_CC void AfterRange(const SiteRecord* site, const void* address,
                           uint64_t size, uint64_t instructions) {
  Thread* thread = Teller(instructions);
  if (thread == nullptr) return;
  const SiteFacts& facts = FactsOf(site);
  const uint16_t flags = PlaceAndFlags(*thread, facts);
  emitter().EmitAccess(*thread, facts.kind, flags, address, 0, size);
}

FL_HOOK_CC ThreadSlot* Enter(const FunctionRecord* function,
                             const void* const* pointers) {
  Thread* thread = tls_self;
  if (thread == nullptr || thread->slot.inside != 0) return nullptr;
  if (thread->launching && (function->flags & abi::kFunctionLibrary) == 0)
      [[unlikely]] {
    thread->launching = false;
    --thread->quiet;
  }
  SettleContext(*thread);
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

FL_HOOK_CC void Unwound(const FunctionRecord*, ThreadSlot* slot,
                        uint64_t state) {
  if (control_page() == nullptr) [[unlikely]]
    return;
  LeaveFrames(ThreadOf(slot), static_cast<uint32_t>(state >> 32));
  slot->node = static_cast<uint32_t>(state);
  slot->depth = static_cast<uint32_t>(state >> 32);
  slot->call = nullptr;
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
           .unwound = Unwound};
}

}  // namespace fairlead::rt
