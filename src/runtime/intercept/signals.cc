// runtime/intercept/signals.cc
//
// The functions of signals. The rules all hooks obey are in runtime/README.md.

#include <errno.h>
#include <string.h>

#include "runtime/gate/gate.h"
#include "runtime/gate/hook.h"
#include "runtime/model/alternate_stack.h"
#include "runtime/model/deadline.h"
#include "runtime/model/misuse.h"
#include "runtime/model/signal_waits.h"
#include "runtime/model/signals.h"
#include "runtime/model/threads.h"
#include "runtime/outside/call.h"
#include "runtime/sys/real.h"
#include "runtime/sys/syscall.h"

using namespace fairlead;
using namespace fairlead::rt;

namespace {

// libc's type is larger than what the kernel has signals for.
SignalSet SetOf(const sigset_t* set) {
  SignalSet bits;
  memcpy(&bits, set, sizeof(bits));
  return bits;
}
void Store(sigset_t* set, SignalSet bits) {
  sigemptyset(set);
  memcpy(set, &bits, sizeof(bits));
}

// libc's functions that wait for a signal call one that a thread of the process
// has sent one of a user's; the kernel's call and handlers do not.
siginfo_t AsLibcTells(siginfo_t info) {
  if (info.si_code == SI_TKILL) info.si_code = SI_USER;
  return info;
}

Action ActionFrom(const struct sigaction& wanted) {
  Action action = {};
  action.handler = wanted.sa_handler;
  action.flags = static_cast<uint64_t>(static_cast<unsigned>(wanted.sa_flags));
  action.mask = SetOf(&wanted.sa_mask);
  return action;
}
void Store(struct sigaction* old, const Action& action) {
  *old = {};
  old->sa_handler = action.handler;
  old->sa_flags = static_cast<int>(action.flags & 0xfbff'ffff);
  Store(&old->sa_mask, action.mask);
}

int Exchange(HookScope& hook, int signal, const struct sigaction* wanted,
             struct sigaction* old) {
  if (!IsSignal(signal)) return hook.Fail(EINVAL);
  const Action before = ActionOf(signal);
  if (wanted != nullptr) {
    const int error = SetAction(hook.thread(), signal, ActionFrom(*wanted));
    if (error != 0) return hook.Fail(error);
  }
  if (old != nullptr) Store(old, before);
  return 0;
}

sighandler_t Install(HookScope& hook, int signal, sighandler_t handler,
                     int flags) {
  struct sigaction wanted = {};
  struct sigaction old = {};
  wanted.sa_handler = handler;
  wanted.sa_flags = flags;
  if (handler == SIG_ERR) {
    hook.Fail(EINVAL);
    return SIG_ERR;
  }
  if (Exchange(hook, signal, &wanted, &old) != 0) return SIG_ERR;
  return old.sa_handler;
}

// A system call that sends, as outside/signals.cc makes it.
struct Sending {
  long number;
  long arguments[3];
};
int Make(HookScope& hook, const void* caller, const Sending& sending) {
  const long* arguments = sending.arguments;
  Call call = {.number = sending.number,
               .args = {arguments[0], arguments[1], arguments[2]},
               .caller = caller,
               .thread = &hook.thread()};
  const long result = Perform(call);
  return result == 0 ? 0 : hook.Fail(static_cast<int>(-result));
}

// As functions that return an error do.
int ChangeMaskOf(HookScope& hook, int how, const sigset_t* set, sigset_t* old) {
  SignalSet wanted = set == nullptr ? 0 : SetOf(set);
  SignalSet before;
  hook.thread().place = hook.place();
  const int error = ChangeMask(hook.thread(), how,
                               set == nullptr ? nullptr : &wanted, &before);
  if (error == 0 && old != nullptr) Store(old, before);
  return error;
}

int SendToThread(HookScope& hook, pthread_t handle, int signal,
                 const siginfo_t& info) {
  if (signal < 0 || signal > kNumSignals || signal == 32 || signal == 33) {
    return EINVAL;
  }
  Thread* target = FindThread(handle);
  if (target == nullptr || target->reclaimed) return ESRCH;
  return SendSignal(hook.thread(), target, info, hook.place());
}

int WaitFor(HookScope& hook, const sigset_t* set, siginfo_t* info,
            const timespec* timeout, Interruption interruption) {
  uint64_t deadline = kNoDeadline;
  if (timeout != nullptr) {
    deadline = DurationOf(timeout);
    if (deadline == kBadDeadline) return EINVAL;
    deadline += gate().now_ns();
  }
  return WaitForSignal(hook.thread(), SetOf(set), info, deadline, interruption,
                       hook.place());
}

}  // namespace

extern "C" FL_HOOK int sigaction(int signal, const struct sigaction* wanted,
                                 struct sigaction* old) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().sigaction(signal, wanted, old);
  return Exchange(hook, signal, wanted, old);
}
FL_HOOK_ALIAS(__sigaction, sigaction);

extern "C" FL_HOOK sighandler_t signal(int signal, sighandler_t handler) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().signal(signal, handler);
  return Install(hook, signal, handler, SA_RESTART);
}

// signal() of programs compiled for strict C or System V.
extern "C" FL_HOOK sighandler_t __sysv_signal(int signal,
                                              sighandler_t handler) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().__sysv_signal(signal, handler);
  return Install(hook, signal, handler,
                 static_cast<int>(SA_RESETHAND | SA_NODEFER));
}

extern "C" FL_HOOK int sigprocmask(int how, const sigset_t* set,
                                   sigset_t* old) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().sigprocmask(how, set, old);
  const int error = ChangeMaskOf(hook, how, set, old);
  return error == 0 ? 0 : hook.Fail(error);
}

extern "C" FL_HOOK int pthread_sigmask(int how, const sigset_t* set,
                                       sigset_t* old) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_sigmask(how, set, old);
  return ChangeMaskOf(hook, how, set, old);
}

extern "C" FL_HOOK int sigpending(sigset_t* set) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().sigpending(set);
  Store(set, PendingFor(hook.thread()) & hook.thread().signals.mask);
  return 0;
}

extern "C" FL_HOOK int sigaltstack(const stack_t* wanted, stack_t* old) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().sigaltstack(wanted, old);
  const int error =
      SetAlternateStack(hook.thread(), wanted, old, __builtin_frame_address(0));
  return error == 0 ? 0 : hook.Fail(error);
}

extern "C" FL_HOOK int kill(pid_t pid, int signal) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().kill(pid, signal);
  return Make(hook, FL_CALLER, {SYS_kill, {pid, signal}});
}

extern "C" FL_HOOK int sigqueue(pid_t pid, int signal, const sigval value) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().sigqueue(pid, signal, value);
  siginfo_t info = OwnInfo(signal, SI_QUEUE);
  info.si_value = value;
  return Make(hook, FL_CALLER,
              {SYS_rt_sigqueueinfo, {pid, signal, sys::Arg(&info)}});
}

extern "C" FL_HOOK int raise(int signal) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().raise(signal);
  const int error = SendSignal(hook.thread(), &hook.thread(),
                               OwnInfo(signal, SI_TKILL), hook.place());
  return error == 0 ? 0 : hook.Fail(error);
}

extern "C" FL_HOOK int pthread_kill(pthread_t handle, int signal) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_kill(handle, signal);
  return SendToThread(hook, handle, signal, OwnInfo(signal, SI_TKILL));
}

extern "C" FL_HOOK int pthread_sigqueue(pthread_t handle, int signal,
                                        const sigval value) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pthread_sigqueue(handle, signal, value);
  siginfo_t info = OwnInfo(signal, SI_QUEUE);
  info.si_value = value;
  return SendToThread(hook, handle, signal, info);
}

extern "C" FL_HOOK int tgkill(pid_t process, pid_t number, int signal) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().tgkill(process, number, signal);
  return Make(hook, FL_CALLER, {SYS_tgkill, {process, number, signal}});
}

extern "C" FL_HOOK int sigwait(const sigset_t* set, int* signal) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().sigwait(set, signal);
  siginfo_t info;
  const int error = WaitFor(hook, set, &info, nullptr, Interruption::kNever);
  if (error == 0) *signal = info.si_signo;
  return error;
}

extern "C" FL_HOOK int sigtimedwait(const sigset_t* set, siginfo_t* info,
                                    const timespec* timeout) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().sigtimedwait(set, info, timeout);
  siginfo_t found;
  const int error = WaitFor(hook, set, &found, timeout, Interruption::kAlways);
  if (error != 0) return hook.Fail(error);
  if (info != nullptr) *info = AsLibcTells(found);
  return found.si_signo;
}

extern "C" FL_HOOK int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().sigwaitinfo(set, info);
  siginfo_t found;
  const int error = WaitFor(hook, set, &found, nullptr, Interruption::kAlways);
  if (error != 0) return hook.Fail(error);
  if (info != nullptr) *info = AsLibcTells(found);
  return found.si_signo;
}

extern "C" FL_HOOK int sigsuspend(const sigset_t* mask) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().sigsuspend(mask);
  const SignalSet wanted = SetOf(mask);
  return hook.Fail(Pause(hook.thread(), &wanted, hook.place()));
}

extern "C" FL_HOOK int pause() {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().pause();
  return hook.Fail(Pause(hook.thread(), nullptr, hook.place()));
}
