#include "runtime/model/once.h"

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/hook.h"
#include "runtime/model/misuse.h"

extern "C" void __fl_call_watched(void (*function)());

namespace fairlead::rt {
namespace {

// What glibc has in a pthread_once_t.
constexpr int kNotBegun = 0;
constexpr int kRunning = 1;
constexpr int kDone = 2;

bool NobodyRuns(const Thread& thread) {
  return static_cast<const Once*>(thread.intent.state)->runner == nullptr;
}
Tid Runner(const Thread& thread) {
  const Thread* runner = static_cast<const Once*>(thread.intent.state)->runner;
  return runner == nullptr ? Tid::kNone : runner->tid;
}

int& ControlOf(const Once& once) {
  return *static_cast<pthread_once_t*>(const_cast<void*>(once.address));
}

void TellDone(Thread& thread, pthread_once_t* control) {
  const Object* object = PeekObject(control);
  if (object != nullptr && object->kind == ObjectKind::kOnce) {
    emitter().EmitWakeByOther(thread, EventKind::kWakeOnce, control,
                              static_cast<const Once*>(object)->finished);
  }
  emitter().Emit(thread, EventKind::kOnceDone, 0, control, 0);
}

void EndRun(Thread& thread, Once& once, int result) {
  ControlOf(once) = result;
  thread.once = once.outer;
  once.runner = nullptr;
  --once.pins;
  gate().Changed(once.address);
}

void Run(Thread& thread, Once& once, void (*routine)()) {
  once.runner = &thread;
  once.outer = thread.once;
  ++once.pins;
  thread.once = &once;
  ControlOf(once) = kRunning;
  gate().Changed(once.address);
  const Place place = thread.place;
  emitter().Emit(thread, EventKind::kOnceBegin,
                 abi::kFlagPoint | abi::kFlagSuccess, once.address, 0);
  {
    ProgramScope program(thread);
    __fl_call_watched(routine);
  }
  thread.place = place;
  once.finished = emitter().ByNextEvent(thread);
  EndRun(thread, once, kDone);
  emitter().Emit(thread, EventKind::kOnceDone, 0, once.address, 0);
}

}  // namespace

int CallOnce(Thread& thread, pthread_once_t* control, void (*routine)(),
             const Place& place) {
  if (*control == kDone) {
    thread.place = place;
    TellDone(thread, control);
    return 0;
  }
  Once* once = &FindObject<Once>(control);
  if (once->runner != nullptr && *control == kNotBegun) {
    once = &RenewObject<Once>(control);  // by a static initialiser
  }
  if (once->runner == &thread) {
    thread.place = place;
    ReportMisuse(thread, abi::Misuse::kRecursiveInit, control);
  }
  gate().Arrive(thread,
                {.op = EventKind::kOnceBegin,
                 .object = control,
                 .ready = NobodyRuns,
                 .holder = Runner,
                 .state = once},
                place);
  if (*control == kDone) {
    TellDone(thread, control);
  } else {
    Run(thread, *once, routine);
  }
  return 0;
}

}  // namespace fairlead::rt

// Asked by the unwinder about the frame of __fl_call_watched. As the stack is
// unwound through it, the innermost routine of this thread is over, undone.
extern "C" __attribute__((visibility("hidden"))) int __fl_watched_personality(
    int, int actions, uint64_t, void*, void*) {
  using namespace fairlead::rt;
  constexpr int kCleanupPhase = 2;
  constexpr int kContinueUnwind = 8;
  Thread* thread = tls_self;
  if ((actions & kCleanupPhase) != 0 && thread != nullptr &&
      thread->once != nullptr) {
    EndRun(*thread, *thread->once, kNotBegun);
  }
  return kContinueUnwind;
}
