#include "runtime/model/barrier.h"

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/model/misuse.h"
#include "runtime/sys/page.h"

namespace fairlead::rt {
namespace {

// The start of glibc's own; it has no public names.
struct BarrierLayout {
  unsigned in;
  unsigned round;
  unsigned count;
  int shared;
};

// On the stack of a waiting thread.
struct BarrierWait {
  Barrier* barrier;
  uint64_t generation;
};

bool IsOver(const Thread& thread) {
  const auto* wait = static_cast<const BarrierWait*>(thread.intent.state);
  return wait->barrier->generation != wait->generation;
}
bool NobodyWaits(const Thread& thread) {
  return static_cast<const Barrier*>(thread.intent.state)->arrived == 0;
}

Barrier& FindBarrier(Thread& thread, pthread_barrier_t* barrier) {
  const bool destroyed = IsDestroyed(barrier, ObjectKind::kBarrier);
  if (destroyed) ReportMisuse(thread, abi::Misuse::kUseAfterDestroy, barrier);
  Barrier& state = FindObject<Barrier>(barrier);
  const auto* layout = reinterpret_cast<const BarrierLayout*>(barrier);
  if (state.count == 0) state.count = layout->count;
  if (layout->shared != 0) {
    CountUncontrolled(abi::Uncontrolled::kProcessShared);
  }
  return state;
}

}  // namespace

int WaitBarrier(Thread& thread, pthread_barrier_t* barrier,
                const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kBarrierWait, .object = barrier},
                place);
  Barrier& state = FindBarrier(thread, barrier);
  const uint64_t generation = state.generation;
  emitter().Emit(thread, EventKind::kBarrierWait, abi::kFlagPoint, barrier,
                 generation);
  if (++state.arrived >= state.count) {
    state.arrived = 0;
    state.last = emitter().ByLastEvent(thread);
    ++state.generation;
    gate().Changed(barrier);
    emitter().Emit(thread, EventKind::kBarrierDone, abi::kFlagSuccess, barrier,
                   generation);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  BarrierWait wait = {&state, generation};
  gate().Arrive(thread,
                {.op = EventKind::kBarrierWait,
                 .object = barrier,
                 .ready = IsOver,
                 .state = &wait},
                place);
  emitter().EmitWake(thread, EventKind::kWakeBarrier, barrier, state.last);
  emitter().Emit(thread, EventKind::kBarrierDone, abi::kFlagPoint, barrier,
                 generation);
  return 0;
}

void InitBarrier(Thread& thread, pthread_barrier_t* barrier, unsigned count,
                 int error, const Place& place) {
  thread.place = place;
  if (error != 0) return;
  const Object* old = PeekObject(barrier);
  if (old != nullptr && old->kind == ObjectKind::kBarrier &&
      static_cast<const Barrier*>(old)->arrived != 0) {
    ReportMisuse(thread, abi::Misuse::kDoubleInit, barrier);
  }
  RenewObject<Barrier>(barrier).count = count;
  emitter().Emit(thread, EventKind::kInit, 0, barrier, count);
}

int DestroyBarrier(Thread& thread, pthread_barrier_t* barrier,
                   const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kDestroy, .object = barrier}, place);
  Barrier& state = FindBarrier(thread, barrier);
  if (state.arrived != 0) {
    // glibc waits here until they are gone, so this does too.
    ReportMisuse(thread, abi::Misuse::kDestroyWaited, barrier);
    gate().Arrive(thread,
                  {.op = EventKind::kDestroy,
                   .object = barrier,
                   .ready = NobodyWaits,
                   .state = &state},
                  place);
  }
  emitter().Emit(thread, EventKind::kDestroy, abi::kFlagPoint, barrier, 0);
  MarkDestroyed(barrier, ObjectKind::kBarrier);
  return 0;
}

}  // namespace fairlead::rt
