// runtime/intercept/memory.cc
//
// malloc and its relatives. A controlled thread gets blocks of our heap; calls
// that the runtime causes, and everything without control, go to libc. So a
// pointer from either may come back to either: its address tells whose it is.
// The rules all hooks obey are in runtime/README.md.

#include "runtime/alloc/own_calloc.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/alloc/heap.h"
#include "runtime/gate/hook.h"
#include "runtime/model/memory.h"
#include "runtime/sites/modules.h"
#include "runtime/sys/page.h"

using namespace fairlead;
using namespace fairlead::rt;

// libc's own, by names that nobody hooks, so that they work before dlsym does.
extern "C" {
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* address, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void* address);
}

namespace {

constexpr size_t kAlignment = 16;
constexpr size_t kPage = 4096;

bool IsPowerOfTwo(size_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

void* Allocate(size_t bytes, size_t alignment, Content content,
               const void* caller) {
  HookScope hook(caller);
  if (!hook.controlled()) {
    if (content == Content::kZeroed) return __libc_calloc(1, bytes);
    if (alignment > kAlignment) return __libc_memalign(alignment, bytes);
    return __libc_malloc(bytes);
  }
  void* address =
      AllocateBlock(hook.thread(), bytes, alignment, content, hook.place());
  if (address == nullptr) hook.Fail(ENOMEM);
  return address;
}

// realloc of a block of our heap by a thread without control: the old block
// stays, as nobody holds the turn to free it.
void* MoveOut(void* address, size_t bytes) {
  void* moved = __libc_malloc(bytes);
  const size_t old_bytes = UsableBytes(address);
  if (moved != nullptr) {
    memcpy(moved, address, bytes < old_bytes ? bytes : old_bytes);
  }
  return moved;
}

void* Resize(void* address, size_t bytes, const void* caller) {
  if (address == nullptr) {
    return Allocate(bytes, kAlignment, Content::kAny, caller);
  }
  if (!InHeap(address)) return __libc_realloc(address, bytes);
  HookScope hook(caller);
  if (!hook.controlled()) return MoveOut(address, bytes);
  if (bytes == 0) {
    FreeBlock(hook.thread(), address, hook.place(), FreeAs::kNoPoint);
    return nullptr;
  }
  void* moved = ResizeBlock(hook.thread(), address, bytes, hook.place());
  if (moved == nullptr) hook.Fail(ENOMEM);
  return moved;
}

// Only code of the program is stopped ahead of a free: a library may hold locks
// that nobody knows of.
FreeAs FreeAsCalledBy(const void* caller) {
  if (!PlanAsks(abi::kPlanFreePoints)) [[likely]]
    return FreeAs::kNoPoint;
  const Module* module = FindModule(reinterpret_cast<uint64_t>(caller));
  const bool own = module != nullptr && module->record != nullptr;
  return own ? FreeAs::kPoint : FreeAs::kNoPoint;
}

void* AllocateAligned(size_t alignment, size_t bytes, const void* caller) {
  return Allocate(bytes, alignment, Content::kAny, caller);
}

}  // namespace

extern "C" FL_HOOK void* malloc(size_t bytes) {
  return Allocate(bytes, kAlignment, Content::kAny, FL_CALLER);
}

extern "C" FL_HOOK void* calloc(size_t count, size_t bytes) {
  size_t total;
  if (__builtin_mul_overflow(count, bytes, &total)) {
    errno = ENOMEM;
    return nullptr;
  }
  return Allocate(total, kAlignment, Content::kZeroed, FL_CALLER);
}

extern "C" __attribute__((visibility("hidden"), alias("calloc"))) void*
__fl_own_calloc(size_t count, size_t bytes);

extern "C" FL_HOOK void* realloc(void* address, size_t bytes) {
  return Resize(address, bytes, FL_CALLER);
}

extern "C" FL_HOOK void* reallocarray(void* address, size_t count,
                                      size_t bytes) {
  size_t total;
  if (__builtin_mul_overflow(count, bytes, &total)) {
    errno = ENOMEM;
    return nullptr;
  }
  return Resize(address, total, FL_CALLER);
}

extern "C" FL_HOOK void free(void* address) {
  if (address == nullptr) return;
  if (!InHeap(address)) return __libc_free(address);
  Thread* self = tls_self;
  // Without control nobody may touch the heap: the block is lost.
  if (self == nullptr) return;
  // libc frees on our behalf what the program's thread-local storage held.
  if (self->slot.inside != 0) {
    HeapFree(address);
    return;
  }
  HookScope hook(FL_CALLER);
  FreeBlock(hook.thread(), address, hook.place(), FreeAsCalledBy(FL_CALLER));
}

// As libc does it: to the next power of two.
extern "C" FL_HOOK void* memalign(size_t alignment, size_t bytes) {
  if (alignment > ~size_t{0} / 2 + 1) {
    errno = EINVAL;
    return nullptr;
  }
  if (!IsPowerOfTwo(alignment)) {
    alignment =
        alignment == 0 ? 1 : size_t{1} << (64 - __builtin_clzll(alignment));
  }
  return AllocateAligned(alignment, bytes, FL_CALLER);
}

extern "C" FL_HOOK void* aligned_alloc(size_t alignment, size_t bytes) {
  if (!IsPowerOfTwo(alignment)) {
    errno = EINVAL;
    return nullptr;
  }
  return AllocateAligned(alignment, bytes, FL_CALLER);
}

extern "C" FL_HOOK int posix_memalign(void** result, size_t alignment,
                                      size_t bytes) {
  if (!IsPowerOfTwo(alignment) || alignment % sizeof(void*) != 0) {
    return EINVAL;
  }
  const int saved = errno;
  void* address = AllocateAligned(alignment, bytes, FL_CALLER);
  errno = saved;
  if (address == nullptr) return ENOMEM;
  *result = address;
  return 0;
}

extern "C" FL_HOOK void* valloc(size_t bytes) {
  return AllocateAligned(kPage, bytes, FL_CALLER);
}

extern "C" FL_HOOK void* pvalloc(size_t bytes) {
  return AllocateAligned(kPage, (bytes + kPage - 1) / kPage * kPage, FL_CALLER);
}

extern "C" FL_HOOK size_t malloc_usable_size(void* address) {
  if (address == nullptr) return 0;
  if (InHeap(address)) return UsableBytes(address);
  // As glibc stores it: the size of the chunk, flags in its low bits, less the
  // word that holds it.
  const size_t chunk = static_cast<size_t*>(address)[-1];
  return (chunk & ~size_t{7}) - ((chunk & 2) != 0 ? 16 : 8);
}
