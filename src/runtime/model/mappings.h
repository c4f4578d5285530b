// runtime/model/mappings.h
//
// Memory that the program maps itself. Where it leaves the address to the
// kernel, we choose it, one mapping behind the other, so that addresses are the
// same in every repetition. Mapped regions are numbered like blocks of the
// heap.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_MAPPINGS_H_
#define FAIRLEAD_RUNTIME_MODEL_MAPPINGS_H_

#include <stddef.h>
#include <stdint.h>

#include "runtime/thread/thread.h"

namespace fairlead::rt {

inline constexpr uintptr_t kMappingsBegin = 0x2200'0000'0000;
inline constexpr uintptr_t kMappingsEnd = 0x2800'0000'0000;

struct MapRequest {
  void* address;
  size_t bytes;
  int protection;
  int flags;
  int fd;
  long offset;
};

// As the system call: an address, or a negative errno.
long MapMemory(Thread& thread, const MapRequest& request, const Place& place);
// The same without an event.
long MapQuietly(const MapRequest& request);
long UnmapMemory(Thread& thread, void* address, size_t bytes,
                 const Place& place);

// Memory may become unreadable: what is still to be looked at there is not.
inline void ForgetWrite(Thread& thread) { thread.written = {}; }

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_MAPPINGS_H_
