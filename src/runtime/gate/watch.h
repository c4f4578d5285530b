// runtime/gate/watch.h
//
// What an access tells about progress (gate/spin.h). A read is looked at just
// before it happens: its thread runs alone until its next point, so the value
// in memory is the one that it will see. A write is looked at when its thread
// arrives next: if memory is as it was, nothing changed.
//
// What a thread writes to its own stack may be the first that it writes there:
// memory is then as whoever ran before has left it, be it our own code, which
// takes another way when events are told. So such a write counts by its value,
// as a read does, and is a change only for who is waiting for it.
//
// Incomplete: bytes of a thread's own stack that it reads and has never written
// (padding) may make it take longer to spin where events are told.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_GATE_WATCH_H_
#define FAIRLEAD_RUNTIME_GATE_WATCH_H_

#include <stdint.h>
#include <string.h>

#include "runtime/gate/gate.h"
#include "runtime/gate/thread.h"

namespace fairlead::rt {

// The `size` bytes at `address`, at most eight, zero-extended.
inline uint64_t ReadMemory(const void* address, uint32_t size) {
  switch (size) {
    case 1:
      return *static_cast<const volatile uint8_t*>(address);
    case 2:
      return *static_cast<const volatile uint16_t*>(address);
    case 4:
      return *static_cast<const volatile uint32_t*>(address);
    case 8:
      return *static_cast<const volatile uint64_t*>(address);
    default:
      return *static_cast<const volatile uint8_t*>(address);
  }
}

// Addresses that no program can read: looking there would move the fault from
// the program's code to ours.
inline bool IsReadable(const void* address) {
  return reinterpret_cast<uint64_t>(address) - 4096 <
         (uint64_t{1} << 47) - 4096;
}

// `thread` is about to read.
inline void WatchRead(Thread& thread, const void* address, uint32_t size) {
  if (!IsReadable(address)) return;
  if (thread.spin.Saw(static_cast<uint64_t>(thread.place.anchor),
                      reinterpret_cast<uint64_t>(address),
                      ReadMemory(address, size),
                      thread.slot.instructions + thread.unflushed)) {
    gate().Yielded(thread);
  }
}

// Writes to the thread's own stack that are looked at: as large as a few words,
// which loops that wait set up anew in each round (a struct timespec, a struct
// epoll_event). Elsewhere only what the machine writes in one piece: who copies
// more may have a wrong length or address, and the fault is to be the
// program's.
constexpr uint32_t kMostWatched = 64;
constexpr uint32_t kMostWatchedElsewhere = 8;

// What says whether the `size` bytes at `address`, at most kMostWatched, are as
// they were.
inline uint64_t Imprint(const void* address, uint32_t size) {
  if (size <= 8) return ReadMemory(address, size);
  constexpr uint64_t kMix = 0x9e3779b97f4a7c15;
  const auto* bytes = static_cast<const char*>(address);
  uint64_t print = size;
  // The last word may overlap the one before it.
  for (uint32_t at = 0; at < size; at += 8) {
    const uint32_t from = at + 8 <= size ? at : size - 8;
    uint64_t word;
    memcpy(&word, bytes + from, sizeof(word));
    print = (print ^ word) * kMix;
    print ^= print >> 29;
  }
  return print;
}

// `thread` is about to write, or to try.
inline void WatchWrite(Thread& thread, const void* address, uint64_t size) {
  const auto* end = static_cast<const char*>(address) + kMostWatched;
  const bool on_stack =
      OnOwnStack(thread, address) && OnOwnStack(thread, end - 1);
  if (!IsReadable(address) ||
      size > (on_stack ? kMostWatched : kMostWatchedElsewhere)) {
    gate().Progressed(thread);
    return;
  }
  thread.written = address;
  thread.written_at = thread.place.anchor;
  thread.written_size = static_cast<uint32_t>(size);
  thread.written_old = Imprint(address, thread.written_size);
}

// Whether that what `thread` wrote to was different before means anything.
inline bool IsChange(const Thread& thread) {
  return !OnOwnStack(thread, thread.written) ||
         gate().IsAwaited(thread, thread.written, thread.written_size);
}

// `thread` arrives: did its last write change anything?
inline void SettleWrite(Thread& thread) {
  if (thread.written == nullptr) return;
  const uint64_t now = Imprint(thread.written, thread.written_size);
  if (now != thread.written_old && IsChange(thread)) {
    gate().Progressed(thread);
  } else if (thread.spin.Saw(static_cast<uint64_t>(thread.written_at) + 1,
                             reinterpret_cast<uint64_t>(thread.written), now)) {
    gate().Yielded(thread);
  }
  thread.written = nullptr;
}

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_GATE_WATCH_H_
