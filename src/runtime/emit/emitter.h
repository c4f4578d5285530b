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
#include "runtime/emit/digest.h"
#include "runtime/emit/features.h"
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

  // As another plan asks from here on: for a child of the fork server. Goes on
  // counting; the ring begins anew.
  void Renew(abi::ControlPage& page);

  // The program's own code begins. Up to here nothing depends on choices, so
  // the digest leaves it out: it then is the same whatever was traced before,
  // as in a fork server.
  void BeginProgram() { digest_ = 1; }

  // An event at thread.place. `object` is an address of the program or null.
  void Emit(Thread& thread, EventKind kind, uint16_t flags, const void* object,
            uint64_t value) {
    Base(thread, kind, flags, object, value, 0, false);
  }
  // With one extension record behind it.
  void Emit(Thread& thread, EventKind kind, uint16_t flags, const void* object,
            uint64_t value, const Extension& extension);
  // An access of `size` bytes. In line, as it is most of all events.
  void EmitAccess(Thread& thread, EventKind kind, uint16_t flags,
                  const void* address, uint64_t value, uint64_t size) {
    const uint64_t total = thread.slot.instructions + thread.unflushed;
    const uint64_t instructions = total - thread.instructions;
    if (!tracing_ || size >= abi::kSizeExtended ||
        instructions >= abi::kInstructionsExtended) [[unlikely]] {
      Base(thread, kind, flags, address, value, size, false);
      return;
    }
    thread.instructions = total;
    flags |= thread.place.flags;
    Digest(thread, kind, flags, address, value, size);
    Write(thread, kind, flags, address, value, size, instructions);
  }
  void EmitRmw(Thread& thread, EventKind kind, uint16_t flags,
               const void* address, uint64_t value, uint64_t size,
               uint64_t old_value);

  // With `bytes` of a name in payload extensions.
  void EmitNamed(Thread& thread, EventKind kind, const void* object,
                 const char* name, size_t bytes);

  // An edge from `cause` to `thread`; the partner extension names the thread
  // that caused it, the value its event.
  void EmitWake(Thread& thread, EventKind kind, const void* object,
                const Cause& cause);
  // The same, unless nobody or `thread` itself is the cause.
  void EmitWakeByOther(Thread& thread, EventKind kind, const void* object,
                       const Cause& cause) {
    if (cause.thread == nullptr || cause.thread == &thread) return;
    EmitWake(thread, kind, object, cause);
  }
  // `thread` as a cause: by the event that was emitted last, or by the one that
  // will be emitted next.
  Cause ByLastEvent(Thread& thread) const { return {&thread, num_events_ - 1}; }
  Cause ByNextEvent(Thread& thread) const { return {&thread, num_events_}; }

  void Publish() {
    if (tracing_) ring_.Publish();
  }

  bool tracing() const { return tracing_; }
  uint64_t num_events() const { return num_events_; }
  uint64_t digest() const { return digest_; }

 private:
  // Writes a record whose fields all fit.
  void Write(Thread& thread, EventKind kind, uint16_t flags,
             const void* address, uint64_t value, uint64_t size,
             uint64_t instructions) {
    // Four stores of eight bytes, in the layout of abi::Event.
    auto* words = reinterpret_cast<uint64_t*>(&ring_.Next());
    words[0] = uint64_t{static_cast<uint16_t>(thread.tid)} |
               uint64_t{flags} << 16 |
               uint64_t{static_cast<uint8_t>(kind)} << 32 | size << 40 |
               instructions << 48;
    words[1] = thread.place.site | uint64_t{thread.slot.node} << 32;
    words[2] = reinterpret_cast<uint64_t>(address);
    words[3] = value;
    ring_.Commit();
  }
  void Digest(Thread& thread, EventKind kind, uint16_t flags,
              const void* address, uint64_t value, uint64_t size) {
    ++num_events_;
    if (features().on()) [[unlikely]]
      features().Saw(thread, kind, flags, address);
    const uint64_t who = uint64_t{static_cast<uint16_t>(thread.tid)} << 48 |
                         uint64_t{flags} << 32 |
                         uint64_t{static_cast<uint8_t>(kind)} << 24 |
                         (size & 0xffffff);
    const uint64_t what =
        Portable(reinterpret_cast<uint64_t>(address)) * 0x9e3779b97f4a7c15 +
        Portable(value);
    digest_ = Fold(
        digest_ ^ who ^ static_cast<uint64_t>(thread.place.anchor) * 5, what);
  }
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
