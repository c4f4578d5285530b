#include "runtime/model/stack_oracle.h"

#include "runtime/alloc/heap.h"
#include "runtime/model/misuse.h"
#include "runtime/thread/program_sp.h"

namespace fairlead::rt {
namespace {

bool IsGone(const StackSlot& slot, const char* at) {
  const Thread* owner = slot.thread;
  if (owner == nullptr) return false;
  if (owner->stack != &slot || owner->state == ThreadState::kEnded) return true;
  const char* sp = program_sp[abi::Index(owner->tid)];
  // One that is elsewhere has switched to a stack of its own.
  const bool known = sp > owner->stack_limit && sp <= owner->stack_top;
  return known && at >= owner->stack_limit && at < sp;
}

}  // namespace

void CheckStack(Thread& thread, const void* address) {
  const StackSlot* slot = SlotAt(address);
  if (slot == nullptr || slot->thread == &thread) return;
  const auto* at = static_cast<const char*>(address);
  if (at < slot->begin || at >= slot->end || !IsGone(*slot, at)) return;
  ReportMisuse(thread, abi::Misuse::kUseAfterFree, address);
}

void CheckPrimitive(Thread& thread, const void* address) {
  if (OnAStack(address)) {
    CheckStack(thread, address);
  } else if (InHeap(address)) {
    const Found found = FindBlock(address);
    if (found.slot != nullptr && found.slot->state != SlotState::kLive) {
      ReportMisuse(thread, abi::Misuse::kUseAfterFree, address);
    }
  }
}

}  // namespace fairlead::rt
