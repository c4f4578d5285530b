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

#include "abi/access_event.h"
#include "abi/control.h"
#include "abi/event.h"
#include "runtime/emit/digest.h"
#include "runtime/emit/ring.h"
#include "runtime/sites/features.h"
#include "runtime/sites/sites.h"
#include "runtime/thread/thread.h"

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
  void BeginProgram() {
    digest_ = kNoRecords;
    if (tracing_) ring_.BeginDigest(kNoRecords);
  }

  // An event at thread.place. `object` is an address of the program or null.
  void Emit(Thread& thread, EventKind kind, uint16_t flags, const void* object,
            uint64_t value) {
    Base(thread, kind, flags, object, value, 0, false);
  }
  // With one extension record behind it.
  void Emit(Thread& thread, EventKind kind, uint16_t flags, const void* object,
            uint64_t value, const Extension& extension);
  // An access of `size` bytes.
  void EmitAccess(Thread& thread, EventKind kind, uint16_t flags,
                  const void* address, uint64_t value, uint64_t size) {
    Base(thread, kind, flags, address, value, size, false);
  }
  void EmitRmw(Thread& thread, EventKind kind, uint16_t flags,
               const void* address, uint64_t value, uint64_t size,
               uint64_t old_value);

  // With bytes in payload extensions: those of the parts, one after the other,
  // as far as abi::kMaxPayload goes. `status`, if there is one, goes into an
  // extension of its own. Those of a kEnter are pointers.
  struct Bytes {
    const void* first;  // may be null when there are none
    size_t size;
  };
  void EmitBytes(Thread& thread, EventKind kind, const void* object,
                 uint64_t value, const Bytes* parts, size_t num_parts,
                 const uint64_t* status = nullptr);
  // With a name of so many bytes; the value is their number.
  void EmitNamed(Thread& thread, EventKind kind, const void* object,
                 const char* name, size_t bytes) {
    const Bytes part = {name, bytes};
    EmitBytes(thread, kind, object, bytes, &part, 1);
  }

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
  Cause ByLastEvent(Thread& thread) const {
    return {&thread, num_events() - 1};
  }
  Cause ByNextEvent(Thread& thread) const { return {&thread, num_events()}; }

  void Publish() {
    if (tracing_) ring_.Publish();
  }

  // `thread` is at its end: its place becomes that of its last access, if that
  // was told behind whatever else it did. Plain events are written behind our
  // back (abi/hooks.h).
  void SettlePlace(Thread& thread);

  // No more events come from this process.
  void Close() { ring_.CloseRoom(); }

  bool tracing() const { return tracing_; }
  uint64_t num_events() const { return num_events_ + ring_.num_plain(); }
  // 0 if none is kept.
  uint64_t digest() {
    if (!digests_) return 0;
    return tracing_ ? ring_.digest() : digest_;
  }

 private:
  void Put(Thread& thread, const abi::Event& record) {
    if (tracing_) {
      ring_.Next() = record;
      ring_.Commit(thread.slot);
    } else if (digests_) {
      digest_ = FoldRecord(digest_, record);
    }
  }
  void PutPayload(Thread& thread, const uint64_t* words, size_t bytes,
                  uint16_t flags, uint8_t size);
  // False: the plan leaves such events out, and nothing may follow.
  bool Base(Thread& thread, EventKind kind, uint16_t flags, const void* address,
            uint64_t value, uint64_t size, bool extended);
  void Extend(Thread& thread, const Extension& extension, uint16_t flags);

  Ring ring_;
  bool tracing_ = false;
  bool digests_ = false;
  uint32_t left_out_ = 0;    // as in the plan, cut to what may be left out
  uint64_t num_events_ = 0;  // besides the plain ones of the ring
  uint64_t digest_ = 0;      // of what is not traced
};

Emitter& emitter();

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_EMIT_EMITTER_H_
