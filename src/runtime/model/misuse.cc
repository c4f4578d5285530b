#include "runtime/model/misuse.h"

#include "runtime/emit/emitter.h"
#include "runtime/execution.h"
#include "runtime/gate/stall.h"

namespace fairlead::rt {
namespace {

const char* Describe(abi::Misuse what) {
  switch (what) {
    case abi::Misuse::kNone:
      return "nothing wrong with ";
    case abi::Misuse::kUnlockNotLocked:
      return "unlocks what is not locked: ";
    case abi::Misuse::kUnlockNotOwner:
      return "unlocks what another thread holds: ";
    case abi::Misuse::kRelockByOwner:
      return "locks what it holds already: ";
    case abi::Misuse::kDestroyLocked:
      return "destroys a locked ";
    case abi::Misuse::kDestroyWaited:
      return "destroys what others wait for: ";
    case abi::Misuse::kUseAfterDestroy:
      return "uses after its destruction ";
    case abi::Misuse::kDoubleInit:
      return "initialises while in use ";
    case abi::Misuse::kJoinSelf:
      return "joins itself: ";
    case abi::Misuse::kJoinDetached:
      return "joins a detached thread: ";
    case abi::Misuse::kJoinTwice:
      return "joins a thread that is joined already: ";
    case abi::Misuse::kWaitWithoutMutex:
      return "waits without holding the mutex ";
    case abi::Misuse::kWaitTwoMutexes:
      return "waits with another mutex than others do on ";
    case abi::Misuse::kBarrierCountZero:
      return "makes a barrier for nobody: ";
    case abi::Misuse::kSemOverflow:
      return "posts beyond SEM_VALUE_MAX: ";
    case abi::Misuse::kDoubleFree:
      return "frees twice ";
    case abi::Misuse::kBadFree:
      return "frees what was not allocated: ";
    case abi::Misuse::kUseAfterFree:
      return "uses freed memory at ";
    case abi::Misuse::kAlwaysBroken:
      return "breaks what must always hold: ";
    case abi::Misuse::kUpgrade:
      return "changes between read and write mode while holding ";
    case abi::Misuse::kDetachTwice:
      return "detaches a detached thread: ";
    case abi::Misuse::kSanitizer:
      return "is reported by a sanitizer at ";
    case abi::Misuse::kRecursiveInit:
      return "needs what it is just initialising: ";
  }
  return "misuses ";
}

}  // namespace

bool RecordMisuse(const Thread& thread, abi::Misuse what, const void* object) {
  abi::Outcome& outcome = control_page()->outcome;
  if (outcome.misuse != abi::Misuse::kNone) return false;
  outcome.misuse = what;
  outcome.misused = {.object = reinterpret_cast<uint64_t>(object),
                     .site = thread.place.site,
                     .node = thread.slot.node,
                     .site_flags = thread.place.flags,
                     .thread = thread.tid,
                     .reserved = 0};
  return true;
}

void ReportMisuse(Thread& thread, abi::Misuse what, const void* object) {
  emitter().Emit(thread, EventKind::kMisuse, 0, object,
                 static_cast<uint64_t>(what));
  if (!RecordMisuse(thread, what, object)) return;
  Text text = OutcomeText();
  text.Put("misuse: ");
  PutThreadName(text, thread);
  text.Put(' ').Put(Describe(what)).Hex(reinterpret_cast<uint64_t>(object));
}

}  // namespace fairlead::rt
