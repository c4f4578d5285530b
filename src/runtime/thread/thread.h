// runtime/thread/thread.h
//
// A controlled thread of the program, as every part of the runtime sees it: the
// gate decides about it, a carrier runs it, models keep what it holds. Threads
// live in the runtime's arena, are numbered by creation and never reused.
//
// Tier: in-program. Threads: only the holder of the turn reads or writes any of
// this, except `turn`, which is how the turn is handed over.

#ifndef FAIRLEAD_RUNTIME_THREAD_THREAD_H_
#define FAIRLEAD_RUNTIME_THREAD_THREAD_H_

#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/event.h"
#include "abi/hooks.h"
#include "abi/ids.h"
#include "runtime/sys/look.h"
#include "runtime/thread/cause.h"
#include "runtime/thread/leave.h"
#include "runtime/thread/signals.h"
#include "runtime/thread/spin.h"

namespace fairlead::rt {

using abi::EventKind;
using abi::SiteId;
using abi::Tid;

struct Thread;
struct StackSlot;
struct Mutex;
struct Once;

inline constexpr uint64_t kNoDeadline = ~uint64_t{0};

// Where in the program an operation happens.
struct Place {
  SiteId anchor;   // stable name, for strategies and schedules
  uint32_t site;   // as Event::site
  uint16_t flags;  // kFlagInstrumented or 0
};

// What a thread is about to do once it is chosen, and whether it could.
struct Intent {
  EventKind op;
  const void* object;  // null for an operation on no object

  // Whether the operation could be done now; null = always. Asked when the
  // thread arrives and whenever `Gate::Changed(object)` is called. Must depend
  // on the state of `object` alone, and change nothing.
  bool (*ready)(const Thread& thread) = nullptr;

  // Who would have to act before the operation is possible, for the report of a
  // deadlock: its Tid, or kNone when nobody in particular. May be null.
  Tid (*holder)(const Thread& thread) = nullptr;

  void* state = nullptr;  // the model's own, for the two functions above
  uint64_t deadline_ns = kNoDeadline;  // on the virtual clock

  // A cancellation may end the wait (model/cancel.h); the operation is then not
  // done.
  bool cancelable = false;

  // Others than this program may end the wait, or nobody is to rely on how soon
  // it ends: its deadline passes no earlier than the plan has for long ones.
  bool in_earnest = false;

  // What the handler of a signal does to the wait: whether Arrive comes back
  // with kInterrupted.
  Interruption interruption = Interruption::kNever;

  uint64_t bytes = 0;  // that an access touches, from `object` on
};

// An operation that a handler has interrupted: kept on the thread's stack while
// the handler runs, in place of Thread::intent and Thread::place.
struct Interrupted {
  Intent intent;
  Place place;
  Interrupted* outer;  // when handlers nest
};

// A write of a thread's (gate/watch.h).
struct Written {
  const void* address;  // null = none
  SiteId at;
  uint32_t size;
  Look old;  // what was there before
};

// Why `Gate::Arrive` came back.
enum class Wake : uint8_t {
  kReady,
  kTimedOut,
  kSpurious,
  kCanceled,
  kSignal,       // a handler is to run first; the gate's own
  kInterrupted,  // a handler has run, and Intent::interruption lets it end this
};

enum class ThreadState : uint8_t {
  kEnabled,  // could move now
  kWaiting,  // its intent is not ready
  kEnded,    // left the gate for good
};

// The locks that a thread holds, for the orders in which they are taken
// (sites/features.h). Kept only while those are asked for.
inline constexpr size_t kMaxHeld = 8;  // the first so many are known
struct HeldLocks {
  uint32_t num;  // may be more than kMaxHeld
  uint64_t keys[kMaxHeld];
};

struct Thread {
  // Written by instrumented code too, see abi/hooks.h.
  abi::ThreadSlot slot;

  Tid tid;
  ThreadState state;
  Wake wake;
  uint8_t marked;          // > 0: in a region that the program marks as quiet
  uint8_t quiet;           // > 0: in a region without points
  bool yielding;           // said that it cannot progress alone
  uint8_t alone_offers;    // of going on alone since it last got out of a spin
  uint16_t alone;          // for so many points more it goes on alone
  uint32_t count;          // comings to the gate
  uint64_t way;            // through them (abi/schedule.h)
  uint32_t enabled_index;  // in the gate's enabled set while kEnabled
  uint64_t unflushed;      // instructions of its innermost frame, not in slot

  uint32_t* frames;  // functions that it is in, by depth; null = none told

  Written written;  // last, and not looked at since
  // Of the gate's patience (gate/gate_patience.cc), in points.
  uint64_t due_at;        // the deadline of its wait passes here at the latest
  uint64_t due_for_ns;    // which deadline that is
  uint64_t stands_since;  // it could have moved, and has not been chosen;
                          // ~0 = it runs, or could not
  uint8_t turns_given;    // since nobody else would have

  bool launching;  // in library code that starts threads; `quiet` counts it

  Intent intent;
  Place place;     // the same whether events are told or not
  Place told;      // of its last access that a hook has told,
  bool told_last;  // and which no other event has followed
  SpinWatch spin;
  ThreadSignals signals;

  // The carrier's.
  alignas(64) uint32_t turn;  // 1 = may run (thread carrier); futex
  void* stack_pointer;        // of a fiber that is not running
  void* thread_pointer;       // fs base: the thread control block
  long gs_base;               // as the program has set it, or its maker's
  pthread_t handle;           // what the program knows it by
  StackSlot* stack;
  char* stack_top;    // where its first frame begins
  char* stack_limit;  // lowest usable byte

  // Its life.
  uint32_t serial;  // the number that it will have; set before `tid`
  void* (*start)(void*);
  void* argument;
  void* result;
  Thread* parent;
  uint16_t num_children;
  uint16_t ordinal;     // among the parent's children, from 1
  uint64_t created_at;  // the parent's event, as Cause::event
  uint64_t ended_at;    // its own last event
  bool detached;
  Thread* joiner;         // who has joined it, or is about to; null = nobody
  bool reclaimed;         // its stack belongs to nobody or to another thread
  Thread* next_finished;  // ended and detached, stack not yet taken back
  Mutex* robust;          // robust mutexes that it holds, the last one first
  Once* once;             // whose routine it is in, the innermost
  char name[16];          // set by pthread_setname_np; "" = none
  Leave leave;            // ways out other than returning
  HeldLocks held;

  // Settings without effect (model/thread_settings.h).
  char kernel_name[16];  // own or inherited
  size_t guard_bytes;    // below its stack, as asked for
  cpu_set_t* affinity;   // null = not set
  int policy;            // SCHED_OTHER = 0 unless set
  int priority;
};

// The first thread of the program; null until the runtime has started.
extern constinit Thread* main_thread;
// The calling thread, or null when it is not controlled: before the runtime has
// started, in a child of fork, in a thread that a library made by clone.
extern constinit thread_local Thread* tls_self;
// True in a thread that is, or was, controlled, or has been counted as foreign.
extern constinit thread_local bool tls_known;

inline bool OnOwnStack(const Thread& thread, const void* address) {
  return address >= thread.stack_limit && address < thread.stack_top;
}

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_THREAD_THREAD_H_
