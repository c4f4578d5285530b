// model/deliver.cc: see gate/deliver.h.

#include "runtime/gate/deliver.h"

#include <string.h>
#include <ucontext.h>

#include "runtime/carrier/context.h"
#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/hook.h"
#include "runtime/model/alternate_stack.h"
#include "runtime/model/kernel_signals.h"
#include "runtime/model/signals.h"
#include "runtime/sys/page.h"

namespace fairlead::rt {
namespace {

// A handler about to be called.
struct HandlerCall {
  Thread* thread;
  Action action;
  siginfo_t* info;
  ucontext_t* machine;
};

// The kernel makes frames for all handlers that are due before the first of
// them runs: so whichever this one lets through interrupts it at its first
// instruction, and the last one taken is the first to be over.
void CallHandler(void* argument) {
  const auto* call = static_cast<HandlerCall*>(argument);
  if (call->thread->signals.due) DeliverNow(*call->thread);
  ProgramScope program(*call->thread);
  const int number = call->info->si_signo;
  if ((call->action.flags & SA_SIGINFO) != 0) {
    call->action.informed(number, call->info, call->machine);
  } else {
    call->action.handler(number);
  }
}

// Forgets interrupted operations whose frames a handler has jumped out of: the
// stack grows downwards, so they lie below.
void ForgetLeft(Thread& thread, const void* frame) {
  while (thread.signals.interrupted != nullptr &&
         (static_cast<const void*>(thread.signals.interrupted) < frame ||
          !OnOwnStack(thread, thread.signals.interrupted)) &&
         OnOwnStack(thread, frame)) {
    thread.signals.interrupted = thread.signals.interrupted->outer;
  }
}

// The mask while the handler runs.
SignalSet MaskOf(const Thread& thread, const Action& action, int number) {
  SignalSet mask = thread.signals.mask | action.mask;
  if ((action.flags & SA_NODEFER) == 0) mask |= Only(number);
  return mask;
}

void RunHandler(Thread& thread, PendingSignal& signal, const Action& action) {
  const int number = signal.info.si_signo;
  Interrupted interrupted = {thread.intent, thread.place, nullptr};
  ForgetLeft(thread, &interrupted);
  interrupted.outer = thread.signals.interrupted;
  thread.signals.interrupted = &interrupted;
  ucontext_t machine;
  memset(&machine, 0, sizeof(machine));
  SignalSet before = thread.signals.mask;
  if (thread.signals.swapped) {
    thread.signals.swapped = false;
    before = thread.signals.mask_before;
  }
  memcpy(&machine.uc_sigmask, &before, sizeof(before));
  machine.uc_stack = thread.signals.stack;
  const SignalSet awaited = thread.signals.awaited;
  thread.signals.awaited = 0;
  SetMask(thread, MaskOf(thread, action, number));
  HandlerCall call = {&thread, action, &signal.info, &machine};
  if ((action.flags & SA_ONSTACK) != 0 && MayUseAlternate(thread)) {
    char* top = TopOfAlternate(thread);
    if ((thread.signals.stack.ss_flags & kAutoDisarm) != 0) {
      thread.signals.stack = {};
    }
    __fl_call_on_stack(&call, CallHandler, top);
  } else {
    CallHandler(&call);
  }
  thread.signals.stack = machine.uc_stack;
  thread.signals.awaited = awaited;
  memcpy(&before, &machine.uc_sigmask, sizeof(before));
  thread.signals.interrupted = interrupted.outer;
  thread.intent = interrupted.intent;
  thread.place = interrupted.place;
  SetMask(thread, before);
}

void Tell(Thread& thread, const PendingSignal& signal) {
  if (signal.sender.thread != nullptr) {
    emitter().EmitWake(thread, EventKind::kWakeKill, nullptr, signal.sender);
  }
  emitter().Emit(thread, EventKind::kSignalDelivered, 0, nullptr,
                 static_cast<uint64_t>(signal.info.si_signo));
}

}  // namespace

Delivered DeliverNow(Thread& thread) {
  Delivered delivered = {};
  PendingSignal signal;
  while (TakePending(thread, ~thread.signals.mask, &signal)) {
    const int number = signal.info.si_signo;
    const Action action = ActionOf(number);
    if (action.IsIgnore()) continue;
    if (action.IsDefault()) {
      const DefaultAction what = DefaultOf(number);
      if (what == DefaultAction::kIgnore) continue;
      Tell(thread, signal);
      if (what == DefaultAction::kStop) {
        StopForAWhile();
        continue;
      }
      EndBySignal(thread, signal.info, 0);
    }
    Tell(thread, signal);
    if ((action.flags & SA_RESETHAND) != 0) ResetAction(number);
    RunHandler(thread, signal, action);
    delivered.handler = true;
    if ((action.flags & SA_RESTART) == 0) delivered.without_restart = true;
  }
  if (delivered.handler) {
    gate().Progressed(thread);
    if (thread.state == ThreadState::kEnabled) gate().Resume(thread);
  }
  return delivered;
}

bool DeliverAhead(Thread& thread) {
  // Such a call lets signals through while it waits, not before.
  if (thread.signals.swapped || thread.marked != 0) return false;
  if (gate().Choose(thread, EventKind::kSignalDelivered, 2) == 1) return false;
  return DeliverNow(thread).handler;
}

void DeliverBehind(Thread& thread) {
  // A child of fork has left control, and still returns from our hook.
  if (!thread.signals.due || control_page() == nullptr) return;
  if (!PlanAsks(abi::kPlanSignalsAtCalls)) return;
  // Such a call lets signals through while it waits, not behind it.
  if (thread.signals.swapped || thread.marked != 0) return;
  DeliverNow(thread);
}

void DeliverAtEnd(Thread& thread) {
  const uint8_t inside = thread.slot.inside;
  thread.slot.inside = 1;
  DeliverBehind(thread);
  thread.slot.inside = inside;
}

}  // namespace fairlead::rt
