// runtime/gate/watch.h
//
// What an access tells about progress (thread/spin.h). A read is looked at just
// before it happens: its thread runs alone until its next point, so the value
// in memory is the one that it will see. A write is looked at when its thread
// arrives next: if memory is as it was, nothing changed. Memory that cannot be
// read is left to the program to fault at; a handler of its may let it through.
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

#include "runtime/gate/gate.h"
#include "runtime/sys/look.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

// Addresses that no program can read: there is no need to look.
inline bool IsReadable(const void* address) {
  return reinterpret_cast<uint64_t>(address) - 4096 <
         (uint64_t{1} << 47) - 4096;
}

// `thread` is about to read.
inline void WatchRead(Thread& thread, const void* address, uint32_t size) {
  if (!IsReadable(address)) return;
  const Look look = LookAt(address, size);
  if (look.seen == 0) return;
  if (thread.spin.Saw(static_cast<uint64_t>(thread.place.anchor),
                      reinterpret_cast<uint64_t>(address), look.value,
                      thread.slot.instructions + thread.unflushed)) {
    gate().Yielded(thread);
  } else if (!thread.spin.repeating()) {
    gate().Learned();
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
inline Look Imprint(const void* address, uint32_t size) {
  if (size <= 8) return LookAt(address, size);
  constexpr uint64_t kMix = 0x9e3779b97f4a7c15;
  const auto* bytes = static_cast<const char*>(address);
  uint64_t print = size;
  // The last word may overlap the one before it.
  for (uint32_t at = 0; at < size; at += 8) {
    const uint32_t from = at + 8 <= size ? at : size - 8;
    const Look word = LookAt(bytes + from, 8);
    if (word.seen == 0) return {};
    print = (print ^ word.value) * kMix;
    print ^= print >> 29;
  }
  return {print, 1};
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
  thread.written = {.address = address,
                    .at = thread.place.anchor,
                    .size = static_cast<uint32_t>(size),
                    .old = Imprint(address, static_cast<uint32_t>(size))};
}

// Whether that what `thread` wrote to was different before means anything.
inline bool IsChange(const Thread& thread) {
  const Written& written = thread.written;
  return !OnOwnStack(thread, written.address) ||
         gate().IsAwaited(thread, written.address, written.size);
}

// `thread` arrives: did its last write change anything?
inline void SettleWrite(Thread& thread) {
  const Written& written = thread.written;
  if (written.address == nullptr) return;
  const Look now = Imprint(written.address, written.size);
  if (now != written.old && IsChange(thread)) {
    gate().Progressed(thread);
  } else if (thread.spin.Saw(static_cast<uint64_t>(written.at) + 1,
                             reinterpret_cast<uint64_t>(written.address),
                             now.value)) {
    gate().Yielded(thread);
  } else if (!thread.spin.repeating()) {
    gate().Learned();
  }
  thread.written.address = nullptr;
}

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_GATE_WATCH_H_
