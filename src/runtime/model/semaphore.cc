#include "runtime/model/semaphore.h"

#include <errno.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/model/cancel.h"
#include "runtime/model/misuse.h"
#include "runtime/model/shared.h"
#include "runtime/model/stack_oracle.h"
#include "runtime/sys/page.h"
#include "runtime/sys/real.h"

namespace fairlead::rt {
namespace {

// The start of glibc's own; it has no public names.
struct SemaphoreLayout {
  uint32_t value;
  uint32_t num_waiters;  // in the kernel
  int shared;            // 0 = private to the process
};

SemaphoreLayout& Layout(const void* semaphore) {
  return *static_cast<SemaphoreLayout*>(const_cast<void*>(semaphore));
}

bool IsPositive(const Thread& thread) {
  return Layout(thread.intent.object).value != 0;
}

// Who has it, if it is used as a lock.
Tid Taker(const Thread& thread) {
  const auto* state = static_cast<const Semaphore*>(thread.intent.state);
  if (state->no_lock || state->taker == nullptr || state->taker == &thread) {
    return Tid::kNone;
  }
  return state->taker->tid;
}

int TryReal(void* semaphore) {
  return real().sem_trywait(static_cast<sem_t*>(semaphore)) == 0 ? 0 : EBUSY;
}

bool HasForked() {
  return control_page()->outcome.uncontrolled[static_cast<size_t>(
             abi::Uncontrolled::kForkedChild)] != 0;
}

bool IsShared(const Semaphore& state) {
  if (Layout(state.address).shared == 0) return false;
  return !state.made_here || HasForked();
}

Semaphore& FindSemaphore(Thread& thread, const sem_t* semaphore) {
  CheckPrimitive(thread, semaphore);
  if (IsDestroyed(semaphore, ObjectKind::kSemaphore)) {
    ReportMisuse(thread, abi::Misuse::kUseAfterDestroy, semaphore);
  }
  return FindObject<Semaphore>(semaphore);
}

// The thread was chosen, and the count is positive.
void Take(Thread& thread, Semaphore& state) {
  TryReal(const_cast<void*>(state.address));
  state.no_lock = state.no_lock || state.taker != nullptr;
  state.taker = &thread;
  gate().Changed(state.address);
  emitter().EmitWakeByOther(thread, EventKind::kWakePost, state.address,
                            state.posted);
  emitter().Emit(thread, EventKind::kSemWait,
                 abi::kFlagPoint | abi::kFlagSuccess, state.address,
                 Layout(state.address).value);
}

// A look that took nothing; repeated in vain, it is a spin.
void LookOnly(Thread& thread, const sem_t* semaphore, const Place& place) {
  const uint32_t value = Layout(semaphore).value;
  if (thread.spin.Saw(static_cast<uint64_t>(place.anchor),
                      reinterpret_cast<uint64_t>(semaphore), value)) {
    gate().Yielded(thread);
  }
  emitter().Emit(thread, EventKind::kSemWait, abi::kFlagPoint, semaphore,
                 value);
}

}  // namespace

int WaitSemaphore(Thread& thread, sem_t* semaphore, const Until& until,
                  const Place& place) {
  const uint64_t deadline = DeadlineOf(until);
  if (deadline == kBadDeadline) return EINVAL;
  thread.place = place;
  Semaphore& state = FindSemaphore(thread, semaphore);
  if (IsShared(state)) {
    return AttemptShared(thread, EventKind::kSemWait, semaphore, TryReal, until,
                         place);
  }
  Intent intent = {.op = EventKind::kSemWait,
                   .object = semaphore,
                   .interruption = Interruption::kUnlessRestart};
  Wake wake = Wake::kReady;
  if (deadline != kNoDeadline) {
    wake = ArriveCancelable(thread, intent, place);
  }
  if (wake == Wake::kReady &&
      (deadline == kNoDeadline || Layout(semaphore).value == 0)) {
    intent.ready = IsPositive;
    intent.holder = Taker;
    intent.state = &state;
    intent.deadline_ns = deadline;
    wake = AwaitCancelable(thread, intent, place);
  }
  if (wake == Wake::kCanceled) CancelSelf(thread);
  if (wake == Wake::kTimedOut) {
    emitter().Emit(thread, EventKind::kSemWait,
                   abi::kFlagPoint | abi::kFlagTimedOut, semaphore, 0);
    return ETIMEDOUT;
  }
  if (wake == Wake::kInterrupted) {
    emitter().Emit(thread, EventKind::kSemWait, abi::kFlagPoint, semaphore, 0);
    return EINTR;
  }
  Take(thread, FindSemaphore(thread, semaphore));
  return 0;
}

int TryWaitSemaphore(Thread& thread, sem_t* semaphore, const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kSemWait, .object = semaphore},
                place);
  Semaphore& state = FindSemaphore(thread, semaphore);
  if (Layout(semaphore).value != 0) {
    thread.spin.Progressed();
    Take(thread, state);
    return 0;
  }
  LookOnly(thread, semaphore, place);
  return EAGAIN;
}

int PostSemaphore(Thread& thread, sem_t* semaphore, const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kSemPost, .object = semaphore},
                place);
  Semaphore& state = FindSemaphore(thread, semaphore);
  if (real().sem_post(semaphore) != 0) return errno;
  state.posted = emitter().ByNextEvent(thread);
  state.no_lock = state.no_lock || state.taker != &thread;
  state.taker = nullptr;
  gate().Progressed(thread);
  gate().Changed(semaphore);
  emitter().Emit(thread, EventKind::kSemPost, abi::kFlagPoint, semaphore,
                 Layout(semaphore).value);
  return 0;
}

int GetSemaphoreValue(Thread& thread, sem_t* semaphore, int* value,
                      const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kSemWait, .object = semaphore},
                place);
  FindSemaphore(thread, semaphore);
  *value = static_cast<int>(Layout(semaphore).value);
  LookOnly(thread, semaphore, place);
  return 0;
}

void InitSemaphore(Thread& thread, sem_t* semaphore, const Place& place) {
  thread.place = place;
  if (gate().AnyIntends(semaphore)) {
    ReportMisuse(thread, abi::Misuse::kDoubleInit, semaphore);
  }
  RenewObject<Semaphore>(semaphore);
  emitter().Emit(thread, EventKind::kInit, 0, semaphore,
                 Layout(semaphore).value);
}

void DestroySemaphore(Thread& thread, sem_t* semaphore, const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kDestroy, .object = semaphore},
                place);
  FindSemaphore(thread, semaphore);
  if (Layout(semaphore).value == 0 && gate().AnyIntends(semaphore)) {
    ReportMisuse(thread, abi::Misuse::kDestroyWaited, semaphore);
  }
  emitter().Emit(thread, EventKind::kDestroy, abi::kFlagPoint, semaphore, 0);
  MarkDestroyed(semaphore, ObjectKind::kSemaphore);
}

void OpenSemaphore(Thread& thread, sem_t* semaphore, Opened how,
                   const Place& place) {
  thread.place = place;
  if (how == Opened::kCreated) {
    RenewObject<Semaphore>(semaphore).made_here = true;
  } else {
    FindObject<Semaphore>(semaphore);  // perhaps made here, and opened again
  }
  emitter().Emit(thread, EventKind::kInit, 0, semaphore,
                 Layout(semaphore).value);
}

}  // namespace fairlead::rt
