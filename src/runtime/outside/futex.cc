// runtime/outside/futex.cc
//
// Futexes (model/futex.h), whoever uses them: hand-made locks, libstdc++, and
// libc itself for the locks inside it, among them those of FILEs.

#include <errno.h>
#include <linux/futex.h>

#include "runtime/gate/gate.h"
#include "runtime/model/deadline.h"
#include "runtime/model/futex.h"
#include "runtime/model/futex_op.h"
#include "runtime/model/pi_futex.h"
#include "runtime/model/shared.h"
#include "runtime/outside/call.h"
#include "runtime/outside/foreign.h"
#include "runtime/outside/pointers.h"
#include "runtime/sys/page.h"

namespace fairlead::rt {
namespace {

// What the kernel gets, with its names.
struct FutexCall {
  Call& call;
  const uint32_t* word;
  int op;
  uint32_t value;
  long timeout;  // a timespec*, or a number for the second word
  const uint32_t* word2;
  uint32_t value3;

  int command() const { return op & FUTEX_CMD_MASK; }
  Thread& thread() const { return *call.thread; }
};

constexpr uint32_t kAnyBit = FUTEX_BITSET_MATCH_ANY;

// FUTEX_LOCK_PI2 of newer headers: as FUTEX_LOCK_PI, with a choice of clock.
constexpr int kLockPi2 = 13;

// When a wait ends; kBadDeadline for a time that makes no sense. Only
// FUTEX_WAIT's is relative, and only FUTEX_LOCK_PI has no choice of clock.
uint64_t DeadlineOfWait(const FutexCall& futex) {
  const auto* time = reinterpret_cast<const timespec*>(futex.timeout);
  if (time == nullptr) return kNoDeadline;
  if (futex.command() != FUTEX_WAIT) {
    const bool realtime = (futex.op & FUTEX_CLOCK_REALTIME) != 0 ||
                          futex.command() == FUTEX_LOCK_PI;
    return DeadlineOf({realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC, time});
  }
  const uint64_t ns = DurationOf(time);
  return ns == kBadDeadline ? ns : gate().now_ns() + ns;
}

// While there are threads that are not controlled, one of them may change the
// word and wake nobody that we know of.
long WaitForAnybody(const FutexCall& futex, uint32_t bitset,
                    uint64_t deadline) {
  constexpr uint64_t kPatience = 1'000'000;
  for (uint32_t attempts = 1;; ++attempts) {
    const uint64_t soon = gate().now_ns() + kPatience;
    const int error =
        WaitFutex(futex.thread(), futex.word, futex.value, bitset,
                  deadline < soon ? deadline : soon, futex.call.place());
    if (error == EAGAIN && attempts > 1) return 0;
    if (error != ETIMEDOUT || gate().now_ns() >= deadline) return -error;
    LetOthersRun(futex.thread(), attempts);
  }
}

long Wait(const FutexCall& futex) {
  const uint32_t bitset =
      futex.command() == FUTEX_WAIT_BITSET ? futex.value3 : kAnyBit;
  const uint64_t deadline = DeadlineOfWait(futex);
  if (bitset == 0 || deadline == kBadDeadline) return -EINVAL;
  if (AnyForeignThreads()) return WaitForAnybody(futex, bitset, deadline);
  return -WaitFutex(futex.thread(), futex.word, futex.value, bitset, deadline,
                    futex.call.place());
}

long WakeWaiters(const FutexCall& futex) {
  const uint32_t bitset =
      futex.command() == FUTEX_WAKE_BITSET ? futex.value3 : kAnyBit;
  if (bitset == 0) return -EINVAL;
  long woken = WakeFutex(futex.thread(), futex.word, futex.value, bitset,
                         futex.call.place());
  if (AnyForeignThreads()) {
    woken += sys::FutexWake(futex.word, static_cast<int>(futex.value),
                            futex.op & FUTEX_PRIVATE_FLAG);
  } else if ((futex.op & FUTEX_PRIVATE_FLAG) == 0) {
    // Another process may wait for it.
    const long others =
        sys::FutexWake(futex.word, static_cast<int>(futex.value), 0);
    if (others > 0) {
      CountUncontrolled(abi::Uncontrolled::kProcessShared);
      woken += others;
    }
  }
  return woken;
}

long Requeue(const FutexCall& futex) {
  Thread& thread = futex.thread();
  gate().Arrive(thread, {.op = EventKind::kFutexWake, .object = futex.word},
                futex.call.place());
  const bool compares = futex.command() == FUTEX_CMP_REQUEUE;
  if (compares &&
      __atomic_load_n(futex.word, __ATOMIC_SEQ_CST) != futex.value3) {
    return -EAGAIN;
  }
  const Requeued result =
      RequeueFutex(thread, futex.word, futex.value, futex.word2,
                   static_cast<uint32_t>(futex.timeout));
  return result.woken + (compares ? result.moved : 0);
}

long WakeAndOperate(const FutexCall& futex) {
  Thread& thread = futex.thread();
  const WakeOp operation(futex.value3);
  gate().Arrive(thread, {.op = EventKind::kFutexWake, .object = futex.word},
                futex.call.place());
  auto* word2 = reinterpret_cast<int*>(const_cast<uint32_t*>(futex.word2));
  const int old = __atomic_load_n(word2, __ATOMIC_SEQ_CST);
  __atomic_store_n(word2, operation.Apply(old), __ATOMIC_SEQ_CST);
  long woken =
      RequeueFutex(thread, futex.word, futex.value, futex.word, 0).woken;
  if (operation.Holds(old)) {
    woken += RequeueFutex(thread, futex.word2,
                          static_cast<uint32_t>(futex.timeout), futex.word2, 0)
                 .woken;
  }
  return woken;
}

uint32_t* Writable(const uint32_t* word) { return const_cast<uint32_t*>(word); }

long LockPi(const FutexCall& futex, const uint32_t* word) {
  const uint64_t deadline = DeadlineOfWait(futex);
  if (deadline == kBadDeadline) return -EINVAL;
  return -LockPiFutex(futex.thread(), Writable(word), deadline,
                      futex.call.place());
}

// Waits for the first word; whoever is woken takes the second, which knows its
// owner, before the call is over.
long WaitThenLockPi(const FutexCall& futex) {
  const uint64_t deadline = DeadlineOfWait(futex);
  if (deadline == kBadDeadline || futex.word == futex.word2) return -EINVAL;
  const int error = WaitFutex(futex.thread(), futex.word, futex.value, kAnyBit,
                              deadline, futex.call.place());
  return error != 0 ? -error : LockPi(futex, futex.word2);
}

// Its partner: those whom the kernel would make waiters of the second word go
// there themselves.
long WakeToLockPi(const FutexCall& futex) {
  if (futex.value != 1) return -EINVAL;
  Thread& thread = futex.thread();
  gate().Arrive(thread, {.op = EventKind::kFutexWake, .object = futex.word},
                futex.call.place());
  if (__atomic_load_n(futex.word, __ATOMIC_SEQ_CST) != futex.value3) {
    return -EAGAIN;
  }
  const uint32_t others = static_cast<uint32_t>(futex.timeout);
  return RequeueFutex(thread, futex.word, others + 1, futex.word, 0).woken;
}

// Whether the memory that the command reads can be read. Waking somebody reads
// none.
bool WordsAreThere(const FutexCall& futex) {
  const int command = futex.command();
  switch (command) {
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
    case FUTEX_REQUEUE:
      return true;
    case FUTEX_WAKE_OP:
      return IsThere(futex.word2, sizeof(uint32_t));
    default:
      break;
  }
  if (!IsThere(futex.word, sizeof(uint32_t))) return false;
  const bool locks_second = command == FUTEX_WAIT_REQUEUE_PI;
  if (locks_second && !IsThere(futex.word2, sizeof(uint32_t))) return false;
  const bool timed = command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET ||
                     command == FUTEX_LOCK_PI || command == kLockPi2 ||
                     locks_second;
  return !timed || futex.timeout == 0 ||
         IsThere(reinterpret_cast<const void*>(futex.timeout),
                 sizeof(timespec));
}

}  // namespace

long DoFutex(Call& call) {
  const FutexCall futex = {call,
                           call.pointer<const uint32_t>(0),
                           static_cast<int>(call.args[1]),
                           static_cast<uint32_t>(call.args[2]),
                           call.args[3],
                           call.pointer<const uint32_t>(4),
                           static_cast<uint32_t>(call.args[5])};
  if (call.args[0] % 4 != 0) return -EINVAL;
  if (!WordsAreThere(futex)) return -EFAULT;
  switch (futex.command()) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
      return Wait(futex);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
      return WakeWaiters(futex);
    case FUTEX_WAKE_OP:
      return WakeAndOperate(futex);
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
      return Requeue(futex);
    case FUTEX_LOCK_PI:
    case kLockPi2:
      return LockPi(futex, futex.word);
    case FUTEX_TRYLOCK_PI:
      return -TryLockPiFutex(futex.thread(), Writable(futex.word),
                             call.place());
    case FUTEX_UNLOCK_PI:
      return -UnlockPiFutex(futex.thread(), Writable(futex.word), call.place());
    case FUTEX_WAIT_REQUEUE_PI:
      return WaitThenLockPi(futex);
    case FUTEX_CMP_REQUEUE_PI:
      return WakeToLockPi(futex);
    default:
      return AskKernel(call);
  }
}

// The younger calls on futexes: as with a kernel that does not have them, which
// programs must expect.
long DoYoungFutex(Call&) { return -ENOSYS; }

}  // namespace fairlead::rt
