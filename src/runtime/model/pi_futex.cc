#include "runtime/model/pi_futex.h"

#include <errno.h>
#include <linux/futex.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/model/deadline.h"
#include "runtime/model/signal_waits.h"
#include "runtime/model/thread_settings.h"

namespace fairlead::rt {
namespace {

bool Never(const Thread&) { return false; }

// Sequentially consistent, as the program's own operations on the word: one
// thread runs at a time, so loads and stores need no loop.
uint32_t Load(const uint32_t* word) {
  return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}
void Store(uint32_t* word, uint32_t value) {
  __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}

uint32_t Number(const Thread& thread) {
  return static_cast<uint32_t>(NumberOf(thread));
}

// Null when nobody has it, or nobody whom we know.
Thread* OwnerOf(const void* word) {
  const uint32_t value = Load(static_cast<const uint32_t*>(word));
  return FindByNumber(static_cast<int>(value & FUTEX_TID_MASK));
}

Tid Owner(const Thread& thread) {
  const Thread* owner = OwnerOf(thread.intent.object);
  return owner == nullptr ? Tid::kNone : owner->tid;
}

// Whether the owner of `word` waits for `thread`, over such locks: the kernel
// looks, and refuses.
bool ClosesCycle(const Thread& thread, const uint32_t* word) {
  const Thread* owner = OwnerOf(word);
  for (size_t i = 0; owner != nullptr && i < gate().num_live(); ++i) {
    if (owner == &thread) return true;
    if (owner->state != ThreadState::kWaiting) return false;
    if (owner->intent.holder != Owner) return false;
    owner = OwnerOf(owner->intent.object);
  }
  return false;
}

PiWaiter** LinkTo(PiFutex& futex, const PiWaiter* waiter) {
  PiWaiter** link = &futex.first;
  while (*link != waiter) link = &(*link)->next;
  return link;
}

void Dequeue(const uint32_t* word, const PiWaiter& waiter) {
  PiFutex& futex = FindObject<PiFutex>(word);
  *LinkTo(futex, &waiter) = waiter.next;
  // As futexes: any word may be one for a moment.
  if (futex.first == nullptr) EndObject(word);
}

PiWaiter* FirstWaiter(const uint32_t* word) {
  Object* object = PeekObject(word);
  if (object == nullptr || object->kind != PiFutex::kKind) return nullptr;
  return static_cast<PiFutex*>(object)->first;
}

PiWaiter* PickWaiter(Thread& thread, const uint32_t* word) {
  uint32_t waiters = 0;
  for (PiWaiter* w = FirstWaiter(word); w != nullptr; w = w->next) ++waiters;
  if (waiters == 0) return nullptr;
  PiWaiter* picked = FirstWaiter(word);
  for (uint32_t skip = gate().Choose(thread, EventKind::kFutexWake, waiters);
       skip > 0; --skip) {
    picked = picked->next;
  }
  return picked;
}

// Takes the lock if nobody has it: 0. Else why not; EAGAIN = another thread.
int Take(const Thread& thread, uint32_t* word) {
  const uint32_t value = Load(word);
  const uint32_t owner = value & FUTEX_TID_MASK;
  if (owner == 0) {
    Store(word, value | Number(thread));
    return 0;
  }
  if (OwnerOf(word) == nullptr) return ESRCH;
  return owner == Number(thread) ? EDEADLK : EAGAIN;
}

// The wait is over; what comes of it.
int FinishWait(Thread& thread, uint32_t* word, const PiWaiter& waiter) {
  uint16_t flags = abi::kFlagPoint;
  const bool given = waiter.unlocked.thread != nullptr;
  if (given) {
    emitter().EmitWake(thread, EventKind::kWakeFutex, word, waiter.unlocked);
    flags |= abi::kFlagSuccess;
  } else {
    Dequeue(word, waiter);
    flags |= abi::kFlagTimedOut;
  }
  emitter().Emit(thread, EventKind::kFutexDone, flags, word, 0);
  return given ? 0 : ETIMEDOUT;
}

}  // namespace

int LockPiFutex(Thread& thread, uint32_t* word, uint64_t deadline_ns,
                const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kFutexWait, .object = word}, place);
  int error = Take(thread, word);
  if (error == EAGAIN && ClosesCycle(thread, word)) error = EDEADLK;
  if (error != EAGAIN) {
    emitter().Emit(thread, EventKind::kFutexDone, abi::kFlagPoint, word, 0);
    return error;
  }
  Store(word, Load(word) | FUTEX_WAITERS);
  emitter().Emit(thread, EventKind::kFutexWait, abi::kFlagPoint, word, 0);
  PiWaiter waiter = {&thread, {}, nullptr};
  *LinkTo(FindObject<PiFutex>(word), nullptr) = &waiter;
  Await(thread,
        {.op = EventKind::kFutexWait,
         .object = word,
         .ready = Never,
         .holder = Owner,
         .deadline_ns = deadline_ns},
        place);
  return FinishWait(thread, word, waiter);
}

int TryLockPiFutex(Thread& thread, uint32_t* word, const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kFutexWait, .object = word}, place);
  const int error = Take(thread, word);
  if (error == 0) {
    thread.spin.Progressed();
  } else if (thread.spin.Saw(static_cast<uint64_t>(place.anchor),
                             reinterpret_cast<uint64_t>(word), Load(word))) {
    gate().Yielded(thread);  // trying again and again is a spin
  }
  emitter().Emit(thread, EventKind::kFutexDone, abi::kFlagPoint, word, 0);
  return error;
}

int UnlockPiFutex(Thread& thread, uint32_t* word, const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kFutexWake, .object = word}, place);
  if ((Load(word) & FUTEX_TID_MASK) != Number(thread)) return EPERM;
  PiWaiter* next = PickWaiter(thread, word);
  if (next == nullptr) {
    Store(word, 0);
  } else {
    Dequeue(word, *next);
    const uint32_t more = FirstWaiter(word) != nullptr ? FUTEX_WAITERS : 0;
    Store(word, Number(*next->thread) | more);
    next->unlocked = emitter().ByNextEvent(thread);
    gate().Replace(*next->thread, word,
                   {.op = EventKind::kFutexDone, .object = word});
  }
  gate().Progressed(thread);
  emitter().Emit(thread, EventKind::kFutexWake, abi::kFlagPoint, word,
                 next != nullptr);
  return 0;
}

}  // namespace fairlead::rt
