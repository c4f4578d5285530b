// runtime/emit/emitter.h
//
// Makes event records. Every hook tells what happened here, at the moment when
// it happened and while its thread holds the turn, so the order of records is
// the order of the execution.
//
// Untraced executions make events too: they enter the digest and the count, and
// no record is written.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_EMIT_EMITTER_H_
#define FAIRLEAD_RUNTIME_EMIT_EMITTER_H_

#include <stdint.h>

#include "abi/control.h"
#include "abi/event.h"
#include "runtime/emit/ring.h"
#include "runtime/gate/thread.h"

namespace fairlead::rt {

// Extensions of an event, in the order in which they are written.
struct Extension {
  EventKind kind;
  uint64_t address;
  uint64_t value;
  uint32_t site = 0;
  uint32_t node = 0;
};

class Emitter {
 public:
  void Begin(abi::ControlPage& page);

  // An event at thread.place. `object` is an address of the program or null.
  void Emit(Thread& thread, EventKind kind, uint16_t flags, const void* object,
            uint64_t value) {
    EmitAccess(thread, kind, flags, object, value, 0);
  }
  // With one extension record behind it.
  void Emit(Thread& thread, EventKind kind, uint16_t flags, const void* object,
            uint64_t value, const Extension& extension);
  // An access of `size` bytes.
  void EmitAccess(Thread& thread, EventKind kind, uint16_t flags,
                  const void* address, uint64_t value, uint64_t size);
  void EmitRmw(Thread& thread, EventKind kind, uint16_t flags,
               const void* address, uint64_t value, uint64_t size,
               uint64_t old_value);

  // An edge from `cause` to `thread`, which is named in a partner extension.
  void EmitWake(Thread& thread, EventKind kind, const void* object,
                const Thread& cause);

  void Publish() {
    if (tracing_) ring_.Publish();
  }

  bool tracing() const { return tracing_; }
  uint64_t num_events() const { return num_events_; }
  uint64_t digest() const { return digest_; }

 private:
  void Base(Thread& thread, EventKind kind, uint16_t flags, const void* address,
            uint64_t value, uint64_t size, bool extended);
  void Extend(const Thread& thread, const Extension& extension, uint16_t flags);

  Ring ring_;
  bool tracing_ = false;
  uint64_t num_events_ = 0;
  uint64_t digest_ = 0;
};

Emitter& emitter();

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_EMIT_EMITTER_H_
