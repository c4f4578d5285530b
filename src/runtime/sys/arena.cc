#include "runtime/sys/arena.h"

#include <stdint.h>

#include "runtime/sys/check.h"
#include "runtime/sys/page.h"
#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

// Pages that are never touched cost nothing; 4 MB makes calls rare.
constexpr size_t kChunkBytes = size_t{4} << 20;
constexpr size_t kAlignment = 64;

char* chunk_next = nullptr;
char* chunk_end = nullptr;

// Nothing here may need memory.
[[noreturn]] void OutOfMemory() {
  constexpr char kWords[] =
      "out of memory for the runtime's own tables; raise the memory limit "
      "(ulimit -v) or run a smaller program";
  Log(kWords);
  if (control_page() != nullptr) {
    OutcomeText().Put(kWords);
    // Pairs with the tool's acquire load: the text is whole.
    __atomic_store_n(
        reinterpret_cast<uint32_t*>(&control_page()->outcome.status),
        static_cast<uint32_t>(abi::Status::kUnsupported), __ATOMIC_RELEASE);
  }
  sys::ExitGroup(abi::kInternalExitCode);
}

char* MapBytes(size_t bytes) {
  void* memory = sys::Map(nullptr, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE);
  if (memory == nullptr) OutOfMemory();
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
