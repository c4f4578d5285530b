#include "runtime/company/patch.h"

#include <stdint.h>
#include <string.h>

#include "runtime/sys/syscall.h"

namespace fairlead::rt {
namespace {

constexpr size_t kPage = 4096;
constexpr uint8_t kReturn = 0xc3;

// movabs rax, <8 bytes>; jmp rax
struct [[gnu::packed]] Jump {
  uint8_t move[2];
  uint64_t target;
  uint8_t jump[2];
};
static_assert(sizeof(Jump) == 12);

// Compilers begin functions at multiples of this.
constexpr size_t kAlignment = 16;
static_assert(sizeof(Jump) <= kAlignment);

// What compilers fill the room between functions with: int3, and the first
// bytes of the longer and shorter forms of nop.
bool IsFiller(uint8_t byte) {
  return byte == 0xcc || byte == 0x90 || byte == 0x66 || byte == 0x0f;
}

bool IsEmpty(const uint8_t* code) {
  if (reinterpret_cast<uintptr_t>(code) % kAlignment != 0) return false;
  return code[0] == kReturn && IsFiller(code[1]);
}

}  // namespace

bool ReplaceEmptyFunction(void* function, void (*replacement)()) {
  auto* code = static_cast<uint8_t*>(function);
  if (code == nullptr || !IsEmpty(code)) return false;
  const Jump jump = {.move = {0x48, 0xb8},
                     .target = reinterpret_cast<uint64_t>(replacement),
                     .jump = {0xff, 0xe0}};
  // An aligned function of 16 bytes lies in one page.
  auto* page =
      reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(code) & ~(kPage - 1));
  if (sys::Failed(sys::Protect(page, kPage, PROT_READ | PROT_WRITE))) {
    return false;
  }
  memcpy(code, &jump, sizeof(jump));
  sys::Protect(page, kPage, PROT_READ | PROT_EXEC);
  return true;
}

}  // namespace fairlead::rt
