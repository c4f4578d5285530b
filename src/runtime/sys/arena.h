// runtime/sys/arena.h
//
// Memory for the runtime's own tables, straight from the kernel: never freed,
// zeroed, and far from the program's heap. Grows in whole chunks, so that a
// hook costs a system call only once in a while.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_SYS_ARENA_H_
#define FAIRLEAD_RUNTIME_SYS_ARENA_H_

#include <stddef.h>

#include <new>

namespace fairlead::rt {

// Zeroed bytes, aligned to 64. Never null: without memory the process ends.
void* ArenaAllocate(size_t bytes);

template <typename T>
T* ArenaNew() {
  return new (ArenaAllocate(sizeof(T))) T();
}

template <typename T>
T* ArenaArray(size_t count) {
  return static_cast<T*>(ArenaAllocate(sizeof(T) * count));
}

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_SYS_ARENA_H_
