// order/happens_before.h
//
// Which events of an execution are ordered before which, by program order and a
// chosen set of edges. Reads events once, in stream order, and keeps one vector
// clock for every thread and for every synchronisation object that is alive.
//
//   edge        from                        to
//   create      fork                        all of the new thread
//               end, or the last event of   join that succeeds
//               a thread that never began
//               cancel                      woken-by-cancel, canceled
//   barrier     barrier                     barrier-passed, same generation
//   condvar     signal, broadcast           woken-by-signal (see below)
//               futex-wake                  woken-by-futex
//   semaphore   sem-post                    every later sem-wait with success
//   once        once-done of who ran it     every later once-done
//   atomics     release or fence            acquire or fence that reads from it
//                                           or from its release sequence
//   mutex       unlock, wait                every later lock, trylock with
//   rwlock                                  success, waited; not from a shared
//                                           unlock to a shared lock
//   outside     signal-sent                 signal-delivered
//   annotated   release                     every later acquire
//   recognised  see order/custom_sync.h
//
// A lock is taken for a read-write lock once it was used in read mode. Init,
// destroy, allocating and freeing end the object at that address.
//
// The wake-up of a waiter names the event that woke it, and the edge comes from
// there. In traces where it names only the thread, it comes from that thread's
// first signal since the wait began; so order is rather missed than made up.
//
// Stamps: an event's Epoch is the segment of its thread that it lies in. Event
// e is ordered before a later event f of another thread iff the clock of f's
// thread, right after f was consumed, covers e's epoch.

#ifndef FAIRLEAD_ORDER_HAPPENS_BEFORE_H_
#define FAIRLEAD_ORDER_HAPPENS_BEFORE_H_

#include <memory>
#include <optional>
#include <vector>

#include "order/custom_sync.h"
#include "order/edge_set.h"
#include "order/object_table.h"
#include "order/vector_clock.h"
#include "trace/event.h"

namespace fairlead::order {

class HappensBefore {
 public:
  // Which accesses may be hand-made synchronisation (kRecognised): all, or
  // only those that are no atomics, which say themselves what they order.
  enum class Recognise : uint8_t { kAll, kPlain };

  explicit HappensBefore(EdgeSet edges, Recognise recognise = Recognise::kAll)
      : edges_(edges), recognise_(recognise) {}

  // Consumes the next event and gives its stamp. Any sequence of events is
  // fine, also one that no program produces.
  Epoch OnEvent(const Event& event) {
    const AccessKind kind = AccessOf(event);
    if (kind == AccessKind::kNone) return OnOther(event);
    return IsAtomic(event) ? OnAtomicAccess(event, kind)
                           : OnPlainAccess(event, kind);
  }
  // The same for an access of this kind that is not atomic.
  Epoch OnPlainAccess(const Event& event, AccessKind kind) {
    Thread& thread = ThreadOf(event.tid);
    if (edges_.has(EdgeKind::kRecognised)) {
      if (const Knowledge* knowledge = custom_.Learns(event, kind)) {
        Learn(thread, *knowledge);
      }
    }
    const Epoch stamp(event.tid, thread.clock.Of(event.tid));
    if (Writes(kind) && edges_.has(EdgeKind::kRecognised) &&
        custom_.Publishes(event)) {
      Publish(event, stamp);
      EndSegment(event.tid);
    }
    return stamp;
  }

  // What a thread knows now. `tid` is below abi::kMaxThreads.
  const VectorClock& ClockOf(Tid tid) { return ThreadOf(tid).clock; }
  Epoch EpochOf(Tid tid) { return Epoch(tid, ThreadOf(tid).clock.Of(tid)); }

  // The same as a value that is shared until the thread learns something. It
  // may be behind on the thread's own entry.
  std::shared_ptr<const VectorClock> SnapshotOf(Tid tid);
  // Where the last one of this thread is; null once it has learnt something.
  const VectorClock* KnownSnapshotOf(Tid tid) {
    return ThreadOf(tid).snapshot.get();
  }

 private:
  struct Thread {
    VectorClock clock;
    std::shared_ptr<const VectorClock> snapshot;  // null = out of date
    VectorClock fence;      // clock at the last release fence
    VectorClock relaxed;    // what an acquire fence would learn
    VectorClock canceled;   // by those who cancelled it
    VectorClock signalled;  // by those who sent it a signal
    bool exists = false;    // else a gap in the numbers
    bool began = false;
    bool ended = false;
  };
  struct Lock {
    VectorClock written;  // by exclusive unlocks
    VectorClock read;     // by shared unlocks
    bool shared = false;  // was used in read mode
  };
  struct Waiter {
    Tid tid;
    uint64_t seq;  // of the wait
  };
  struct Signal {
    Tid tid;
    uint64_t seq;
    uint64_t to_wake;  // threads that have not gone on; 0 = not told
    VectorClock clock;
  };
  struct Condvar {
    std::vector<Waiter> waiters;
    std::vector<Signal> signals;  // those that may have woken a waiter
  };
  struct Generation {
    uint64_t number;
    uint32_t inside;  // threads that arrived and have not left
    VectorClock clock;
  };
  struct Barrier {
    std::vector<Generation> generations;
    std::vector<std::pair<Tid, uint64_t>> arrived;  // generation by thread
  };
  struct Once {
    std::optional<Tid> runner;
    VectorClock clock;
  };

  Thread& ThreadOf(Tid tid) {
    const size_t index = abi::Index(tid);
    if (index < threads_.size() && threads_[index].exists) {
      return threads_[index];
    }
    return NewThread(tid);
  }
  Thread& NewThread(Tid tid);
  Thread* OtherThread(uint64_t number);
  Epoch OnAtomicAccess(const Event& event, AccessKind kind);
  void Learn(Thread& thread, const Knowledge& knowledge);
  void Publish(const Event& event, Epoch stamp);
  Epoch OnOther(const Event& event);
  void OnAtomic(const Event& event, Thread& thread);
  void OnFence(const Event& event, Thread& thread);
  void OnThreadLife(const Event& event, Thread& thread);
  void OnSync(const Event& event, Thread& thread);
  void OnWake(const Event& event, Thread& thread);
  void OnOutside(const Event& event, Thread& thread);
  void OnBarrier(const Event& event, Thread& thread);
  void OnOnce(const Event& event, Thread& thread);
  void OnJoin(const Event& event, Thread& thread);
  void TakeLock(uint64_t address, bool shared, Thread& thread);
  void GiveLock(uint64_t address, bool shared, const Event& event);
  void BeginWait(const Event& event);
  void EndWait(const Event& event);
  void OnSignal(const Event& event);
  void WokenBy(const Event& event, Thread& thread);
  void EndObjects(uint64_t address, uint64_t bytes);

  void Acquire(Thread& thread, const VectorClock& clock) {
    if (thread.clock.Join(clock)) thread.snapshot.reset();
  }
  // The rest of the thread is in a new segment.
  void EndSegment(Tid tid) {
    VectorClock& clock = ThreadOf(tid).clock;
    clock.Set(tid, clock.Of(tid) + 1);
  }

  EdgeSet edges_;
  Recognise recognise_;
  std::vector<Thread> threads_;  // by Tid
  ObjectTable<Lock> locks_;
  ObjectTable<VectorClock> semaphores_;
  ObjectTable<VectorClock> annotated_;
  ObjectTable<VectorClock> atomics_;
  ObjectTable<Condvar> condvars_;
  ObjectTable<Barrier> barriers_;
  ObjectTable<Once> onces_;
  VectorClock signalled_;  // signals sent to nobody in particular
  CustomSync custom_;
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_HAPPENS_BEFORE_H_
