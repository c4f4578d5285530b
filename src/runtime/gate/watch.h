// runtime/gate/watch.h
//
// What an access tells about progress (gate/spin.h). A read is looked at just
// before it happens: its thread runs alone until its next point, so the value
// in memory is the one that it will see. A write is looked at when its thread
// arrives next: if memory is as it was, nothing changed.
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

// `thread` is about to write, or to try.
inline void WatchWrite(Thread& thread, const void* address, uint32_t size) {
  if (!IsReadable(address) || size > 8) {
    gate().Progressed(thread);
    return;
  }
  thread.written = address;
  thread.written_size = size;
  thread.written_old = ReadMemory(address, size);
}

// `thread` arrives: did its last write change anything?
inline void SettleWrite(Thread& thread) {
  if (thread.written == nullptr) return;
  const uint64_t now = ReadMemory(thread.written, thread.written_size);
  if (now != thread.written_old) {
    gate().Progressed(thread);
  } else if (thread.spin.Saw(static_cast<uint64_t>(thread.place.anchor) + 1,
                             reinterpret_cast<uint64_t>(thread.written), now)) {
    gate().Yielded(thread);
  }
  thread.written = nullptr;
}

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_GATE_WATCH_H_
