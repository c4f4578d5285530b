// runtime/intercept/raw_syscall.cc
//
// syscall(), for the sake of SYS_futex and SYS_gettid. The rules all hooks obey
// are in runtime/README.md.

#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include "runtime/execution.h"
#include "runtime/gate/gate.h"
#include "runtime/intercept/hook.h"
#include "runtime/intercept/real.h"
#include "runtime/model/deadline.h"
#include "runtime/model/futex.h"
#include "runtime/model/futex_op.h"
#include "runtime/model/thread_settings.h"
#include "runtime/sys/syscall.h"

using namespace fairlead;
using namespace fairlead::rt;

namespace {

// What the kernel gets, with its names.
struct FutexCall {
  const uint32_t* word;
  int op;
  uint32_t value;
  long timeout;  // a timespec*, or a number for the second word
  const uint32_t* word2;
  uint32_t value3;
};

constexpr uint32_t kAnyBit = FUTEX_BITSET_MATCH_ANY;

int Command(const FutexCall& call) { return call.op & FUTEX_CMD_MASK; }

bool IsModelled(int command) {
  switch (command) {
    case FUTEX_WAIT:
    case FUTEX_WAKE:
    case FUTEX_WAIT_BITSET:
    case FUTEX_WAKE_BITSET:
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
    case FUTEX_WAKE_OP:
      return true;
    default:
      return false;
  }
}

// When a wait ends; kBadDeadline for a time that makes no sense.
uint64_t DeadlineOfWait(const FutexCall& call) {
  const auto* time = reinterpret_cast<const timespec*>(call.timeout);
  if (time == nullptr) return kNoDeadline;
  if (Command(call) == FUTEX_WAIT_BITSET) {
    const bool realtime = (call.op & FUTEX_CLOCK_REALTIME) != 0;
    return DeadlineOf({realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC, time});
  }
  const uint64_t ns = DurationOf(time);
  return ns == kBadDeadline ? ns : gate().now_ns() + ns;
}

long Wait(HookScope& hook, const FutexCall& call) {
  const uint32_t bitset =
      Command(call) == FUTEX_WAIT_BITSET ? call.value3 : kAnyBit;
  const uint64_t deadline = DeadlineOfWait(call);
  if (bitset == 0 || deadline == kBadDeadline) return hook.Fail(EINVAL);
  const int error = WaitFutex(hook.thread(), call.word, call.value, bitset,
                              deadline, hook.place());
  return error == 0 ? 0 : hook.Fail(error);
}

long Wake(HookScope& hook, const FutexCall& call) {
  const uint32_t bitset =
      Command(call) == FUTEX_WAKE_BITSET ? call.value3 : kAnyBit;
  if (bitset == 0) return hook.Fail(EINVAL);
  long woken =
      WakeFutex(hook.thread(), call.word, call.value, bitset, hook.place());
  if ((call.op & FUTEX_PRIVATE_FLAG) == 0) {
    // Another process may wait for it.
    const long others =
        sys::FutexWake(call.word, static_cast<int>(call.value), 0);
    if (others > 0) {
      CountUncontrolled(abi::Uncontrolled::kProcessShared);
      woken += others;
    }
  }
  return woken;
}

long Requeue(HookScope& hook, const FutexCall& call) {
  Thread& thread = hook.thread();
  gate().Arrive(thread, {.op = EventKind::kFutexWake, .object = call.word},
                hook.place());
  const bool compares = Command(call) == FUTEX_CMP_REQUEUE;
  if (compares && __atomic_load_n(call.word, __ATOMIC_SEQ_CST) != call.value3) {
    return hook.Fail(EAGAIN);
  }
  const Requeued result =
      RequeueFutex(thread, call.word, call.value, call.word2,
                   static_cast<uint32_t>(call.timeout));
  return result.woken + (compares ? result.moved : 0);
}

long WakeAndOperate(HookScope& hook, const FutexCall& call) {
  Thread& thread = hook.thread();
  const WakeOp operation(call.value3);
  gate().Arrive(thread, {.op = EventKind::kFutexWake, .object = call.word},
                hook.place());
  auto* word2 = reinterpret_cast<int*>(const_cast<uint32_t*>(call.word2));
  const int old = __atomic_load_n(word2, __ATOMIC_SEQ_CST);
  __atomic_store_n(word2, operation.Apply(old), __ATOMIC_SEQ_CST);
  long woken = RequeueFutex(thread, call.word, call.value, call.word, 0).woken;
  if (operation.Holds(old)) {
    woken += RequeueFutex(thread, call.word2,
                          static_cast<uint32_t>(call.timeout), call.word2, 0)
                 .woken;
  }
  return woken;
}

long DoFutex(HookScope& hook, const FutexCall& call) {
  if (reinterpret_cast<uintptr_t>(call.word) % 4 != 0) {
    return hook.Fail(EINVAL);
  }
  switch (Command(call)) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
      return Wait(hook, call);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
      return Wake(hook, call);
    case FUTEX_WAKE_OP:
      return WakeAndOperate(hook, call);
    default:
      return Requeue(hook, call);
  }
}

}  // namespace

extern "C" FL_HOOK long syscall(long number, ...) {
  va_list arguments;
  va_start(arguments, number);
  long a[6];
  for (long& argument : a) argument = va_arg(arguments, long);
  va_end(arguments);
  if (number == SYS_futex) {
    const FutexCall call = {reinterpret_cast<const uint32_t*>(a[0]),
                            static_cast<int>(a[1]),
                            static_cast<uint32_t>(a[2]),
                            a[3],
                            reinterpret_cast<const uint32_t*>(a[4]),
                            static_cast<uint32_t>(a[5])};
    HookScope hook(FL_CALLER);
    if (hook.controlled() && IsModelled(Command(call))) {
      return DoFutex(hook, call);
    }
  }
  if (number == SYS_gettid) {
    HookScope hook(FL_CALLER);
    if (hook.controlled()) return NumberOf(hook.thread());
  }
  return real().syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
