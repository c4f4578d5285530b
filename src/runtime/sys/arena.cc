#include "runtime/sys/arena.h"

#include <stdint.h>

#include "runtime/sys/check.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

// Pages that are never touched cost nothing; 4 MB makes calls rare.
constexpr size_t kChunkBytes = size_t{4} << 20;
constexpr size_t kAlignment = 64;

char* chunk_next = nullptr;
char* chunk_end = nullptr;

char* MapBytes(size_t bytes) {
  void* memory = sys::Map(nullptr, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE);
  if (memory == nullptr) {
    Log("out of memory for the runtime's own tables; raise the memory limit "
        "(ulimit -v) or run a smaller program");
    sys::ExitGroup(70);
  }
  return static_cast<char*>(memory);
}

}  // namespace

void* ArenaAllocate(size_t bytes) {
  bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (bytes >= kChunkBytes) return MapBytes(bytes);
  if (static_cast<size_t>(chunk_end - chunk_next) < bytes) {
    chunk_next = MapBytes(kChunkBytes);
    chunk_end = chunk_next + kChunkBytes;
  }
  char* result = chunk_next;
  chunk_next += bytes;
  return result;
}

}  // namespace fairlead::rt
