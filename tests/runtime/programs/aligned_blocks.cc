// Blocks of any alignment, freed and had again.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <malloc.h>
#include <stdint.h>
#include <string.h>

#include <new>
#include <thread>

#include "verify.h"

static bool IsAligned(void* block, size_t alignment) {
  return block != nullptr &&
         reinterpret_cast<uintptr_t>(block) % alignment == 0;
}

static void Use() {
  void* kept[32] = {};
  size_t at = 0;
  for (int round = 0; round < 2; ++round) {
    for (size_t alignment = 16; alignment <= size_t{4} << 20; alignment *= 2) {
      for (size_t bytes : {size_t{1}, size_t{5000}, alignment + 1}) {
        void* block = nullptr;
        VERIFY(posix_memalign(&block, alignment, bytes) == 0);
        VERIFY(IsAligned(block, alignment));
        memset(block, 1, bytes);
        free(kept[at % 32]);
        kept[at++ % 32] = block;
      }
      void* block = memalign(alignment, 100);
      VERIFY(IsAligned(block, alignment));
      free(block);
      const std::align_val_t as{alignment};
      block = ::operator new(64, as);
      VERIFY(IsAligned(block, alignment));
      ::operator delete(block, as);
    }
  }
  for (void* block : kept) free(block);
  void* odd = memalign(48, 10);
  VERIFY(IsAligned(odd, 64));
  free(odd);
}

int main() {
  std::thread thread(Use);
  thread.join();
  Use();
}
