#include "runtime/model/futex.h"

#include <errno.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/gate.h"
#include "runtime/model/deadline.h"
#include "runtime/sys/page.h"

namespace fairlead::rt {
namespace {

bool Never(const Thread&) { return false; }

void Enqueue(FutexWaiter& waiter) {
  FutexWaiter** link = &FindObject<Futex>(waiter.word).first;
  while (*link != nullptr) link = &(*link)->next;
  waiter.next = nullptr;
  *link = &waiter;
}

void Dequeue(FutexWaiter& waiter) {
  Futex& futex = FindObject<Futex>(waiter.word);
  for (FutexWaiter** link = &futex.first; *link != nullptr;
       link = &(*link)->next) {
    if (*link != &waiter) continue;
    *link = waiter.next;
    break;
  }
  // Any word of the program may be a futex for a moment: keep none for nobody.
  if (futex.first == nullptr) EndObject(waiter.word);
}

FutexWaiter* FirstWaiter(const uint32_t* word) {
  Object* object = PeekObject(word);
  if (object == nullptr || object->kind != Futex::kKind) return nullptr;
  return static_cast<Futex*>(object)->first;
}

// The waiter of `word` that is to be woken or moved next: a choice. Null when
// there is none that shares a bit with `bitset`.
FutexWaiter* PickWaiter(Thread& thread, const uint32_t* word, uint32_t bitset) {
  uint32_t matching = 0;
  for (FutexWaiter* w = FirstWaiter(word); w != nullptr; w = w->next) {
    if ((w->bitset & bitset) != 0) ++matching;
  }
  if (matching == 0) return nullptr;
  uint32_t skip = gate().Choose(thread, EventKind::kFutexWake, matching);
  for (FutexWaiter* w = FirstWaiter(word);; w = w->next) {
    if ((w->bitset & bitset) != 0 && skip-- == 0) return w;
  }
}

uint32_t WakeSome(Thread& thread, const uint32_t* word, uint32_t count,
                  uint32_t bitset) {
  uint32_t woken = 0;
  while (woken < count) {
    FutexWaiter* waiter = PickWaiter(thread, word, bitset);
    if (waiter == nullptr) break;
    Dequeue(*waiter);
    waiter->woken = emitter().ByNextEvent(thread);
    gate().Replace(*waiter->thread, word,
                   {.op = EventKind::kFutexDone, .object = word});
    ++woken;
  }
  return woken;
}

}  // namespace

int WaitFutex(Thread& thread, const uint32_t* word, uint32_t expected,
              uint32_t bitset, uint64_t deadline_ns, const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kFutexWait, .object = word}, place);
  if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != expected) {
    emitter().Emit(thread, EventKind::kFutexDone, abi::kFlagPoint, word,
                   expected);
    return EAGAIN;
  }
  emitter().Emit(thread, EventKind::kFutexWait, abi::kFlagPoint, word,
                 expected);
  FutexWaiter waiter = {&thread, word, bitset, {}, nullptr};
  Enqueue(waiter);
  const bool spurious = PlanAsks(abi::kPlanSpurious) &&
                        gate().Choose(thread, EventKind::kFutexWait, 2) == 1;
  const Wake wake = Await(thread,
                          {.op = EventKind::kFutexWait,
                           .object = word,
                           .ready = spurious ? nullptr : Never,
                           .deadline_ns = deadline_ns,
                           .interruption = Interruption::kUnlessRestart},
                          place);
  uint16_t flags = abi::kFlagPoint;
  if (waiter.woken.thread != nullptr) {
    emitter().EmitWake(thread, EventKind::kWakeFutex, waiter.word,
                       waiter.woken);
    flags |= abi::kFlagSuccess;
  } else {
    Dequeue(waiter);
    flags |= wake == Wake::kTimedOut ? abi::kFlagTimedOut : abi::kFlagSpurious;
  }
  emitter().Emit(thread, EventKind::kFutexDone, flags, word, expected);
  if (wake == Wake::kInterrupted) return EINTR;
  return (flags & abi::kFlagTimedOut) != 0 ? ETIMEDOUT : 0;
}

uint32_t WakeFutex(Thread& thread, const uint32_t* word, uint32_t count,
                   uint32_t bitset, const Place& place) {
  gate().Arrive(thread, {.op = EventKind::kFutexWake, .object = word}, place);
  const uint32_t woken = WakeSome(thread, word, count, bitset);
  gate().Progressed(thread);
  emitter().Emit(thread, EventKind::kFutexWake, abi::kFlagPoint, word, woken);
  return woken;
}

Requeued RequeueFutex(Thread& thread, const uint32_t* from, uint32_t wake,
                      const uint32_t* to, uint32_t move) {
  constexpr uint32_t kAnyBit = ~uint32_t{0};
  Requeued result = {WakeSome(thread, from, wake, kAnyBit), 0};
  for (; result.moved < move && from != to; ++result.moved) {
    FutexWaiter* waiter = PickWaiter(thread, from, kAnyBit);
    if (waiter == nullptr) break;
    Dequeue(*waiter);
    waiter->word = to;
    Enqueue(*waiter);
    gate().Move(*waiter->thread, from, to);
  }
  gate().Progressed(thread);
  emitter().Emit(thread, EventKind::kFutexWake, abi::kFlagPoint, from,
                 result.woken,
                 {EventKind::kExtPartner, reinterpret_cast<uint64_t>(to),
                  static_cast<uint64_t>(thread.tid)});
  return result;
}

}  // namespace fairlead::rt
