#include "runtime/model/guard.h"

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/model/misuse.h"

namespace fairlead::rt {
namespace {

uint8_t* DoneByte(uint64_t* guard) { return reinterpret_cast<uint8_t*>(guard); }

bool IsIdle(const Thread& thread) {
  return static_cast<const Guard*>(thread.intent.state)->initialiser == nullptr;
}
Tid Initialiser(const Thread& thread) {
  const Thread* initialiser =
      static_cast<const Guard*>(thread.intent.state)->initialiser;
  return initialiser == nullptr ? Tid::kNone : initialiser->tid;
}

}  // namespace

bool AcquireGuard(Thread& thread, uint64_t* guard, const Place& place) {
  Guard& state = FindObject<Guard>(guard);
  if (state.initialiser == &thread) {
    thread.place = place;
    ReportMisuse(thread, abi::Misuse::kRecursiveInit, guard);
    // libstdc++ waits for itself.
  }
  gate().Arrive(thread,
                {.op = EventKind::kOnceBegin,
                 .object = guard,
                 .ready = IsIdle,
                 .holder = Initialiser,
                 .state = &state},
                place);
  // Pairs with the acquire load in compiled code.
  const bool done = __atomic_load_n(DoneByte(guard), __ATOMIC_ACQUIRE) != 0;
  uint16_t flags = abi::kFlagPoint;
  if (done) {
    emitter().EmitWakeByOther(thread, EventKind::kWakeOnce, guard, state.done);
  } else {
    state.initialiser = &thread;
    gate().Changed(guard);
    flags |= abi::kFlagSuccess;
  }
  emitter().Emit(thread, EventKind::kOnceBegin, flags, guard, !done);
  return !done;
}

void FinishGuard(Thread& thread, uint64_t* guard, GuardEnd end,
                 const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kOnceDone, .object = guard}, place);
  Guard& state = FindObject<Guard>(guard);
  state.initialiser = nullptr;
  uint16_t flags = abi::kFlagPoint;
  if (end == GuardEnd::kDone) {
    state.done = emitter().ByNextEvent(thread);
    flags |= abi::kFlagSuccess;
    // Pairs with the acquire load in compiled code.
    __atomic_store_n(DoneByte(guard), 1, __ATOMIC_RELEASE);
  }
  gate().Changed(guard);
  gate().Progressed(thread);
  emitter().Emit(thread, EventKind::kOnceDone, flags, guard,
                 end == GuardEnd::kDone);
}

}  // namespace fairlead::rt
