#include "runtime/model/timer_threads.h"

#include <pthread.h>
#include <string.h>

#include "runtime/gate/gate.h"
#include "runtime/gate/hook.h"
#include "runtime/model/signals.h"
#include "runtime/model/threads.h"
#include "runtime/sys/arena.h"

namespace fairlead::rt {
namespace {

// What a new thread is to call.
struct Notice {
  void (*notify)(sigval);
  sigval value;
  Notice* next;  // in the list of those that are free
};
Notice* free_notices = nullptr;

constexpr char kMakersName[] = "timers";
bool has_maker = false;
Thread* waiting_maker = nullptr;  // while it waits for timers
char timers_object;               // the maker's intent is on it

bool AnyDue(const Thread&) { return FindDue() != nullptr; }

// The start routine of a thread that a timer causes.
void* Notify(void* argument) {
  Notice notice;
  {
    HookScope hook(FL_CALLER);
    auto* given = static_cast<Notice*>(argument);
    notice = *given;
    given->next = free_notices;
    free_notices = given;
  }
  notice.notify(notice.value);
  return nullptr;
}

bool MakeDetached(Thread& thread, void* (*start)(void*), void* argument,
                  const Place& place) {
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  pthread_t handle = 0;
  const int error =
      CreateThread(thread, &handle, &attr, start, argument, place);
  pthread_attr_destroy(&attr);
  return error == 0;
}

// The thread that makes others. Signals are not for it.
[[noreturn]] void* MakeOthers(void*) {
  HookScope hook(FL_CALLER);
  Thread& self = hook.thread();
  const Place place = hook.place();
  SetMask(self, ~SignalSet{0});
  memcpy(self.name, kMakersName, sizeof(kMakersName));
  DescribeThread(self);
  for (;;) {
    waiting_maker = &self;
    gate().Arrive(
        self,
        {.op = EventKind::kTimer, .object = &timers_object, .ready = AnyDue},
        place);
    waiting_maker = nullptr;
    Timer* timer = FindDue();
    if (timer == nullptr) continue;  // deleted meanwhile
    --timer->calls_due;
    Notice* notice = free_notices;
    if (notice == nullptr) {
      notice = ArenaNew<Notice>();
    } else {
      free_notices = notice->next;
    }
    *notice = {timer->notify, timer->value, nullptr};
    MakeDetached(self, Notify, notice, place);
  }
}

}  // namespace

Timer* MakeThreadTimer(Thread& thread, clockid_t clock, void (*notify)(sigval),
                       sigval value, const Place& place) {
  if (!has_maker) {
    has_maker = true;
    if (!MakeDetached(thread, MakeOthers, nullptr, place)) {
      has_maker = false;
      return nullptr;
    }
  }
  Timer* timer = MakeTimer(TimerEffect::kThread, clock);
  if (timer == nullptr) return nullptr;
  timer->notify = notify;
  timer->value = value;
  return timer;
}

// The maker may be the one at the gate, where it waits for nobody but timers.
void CallsAreDue() {
  if (waiting_maker != nullptr) gate().Interrupt(*waiting_maker, Wake::kReady);
}

}  // namespace fairlead::rt
