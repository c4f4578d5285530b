// runtime/sys/text_length.h
//
// How long a text of the program's is, which need not be one: it may end where
// no memory is, and the fault is to be the program's own (sys/look.h).
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_SYS_TEXT_LENGTH_H_
#define FAIRLEAD_RUNTIME_SYS_TEXT_LENGTH_H_

#include <stdint.h>

#include "runtime/sys/look.h"

namespace fairlead::rt {

// Bytes from `text` to a zero byte, or to where memory cannot be read; at most
// `most`.
inline uint64_t TextLength(const char* text, uint64_t most) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  const auto begin = reinterpret_cast<uint64_t>(text);
  uint64_t length = 0;
  while (length < most) {
    // A word at a multiple of its size is there as a whole, or not at all.
    const uint32_t bytes = (begin + length) % 8 == 0 ? 8 : 1;
    const Look look = LookAt(text + length, bytes);
    if (look.seen == 0) break;
    const uint64_t ends = (look.value - kOnes) & ~look.value & (kOnes << 7);
    const uint64_t first =
        ends == 0 ? 8 : static_cast<uint64_t>(__builtin_ctzll(ends)) / 8;
    length += first < bytes ? first : bytes;
    if (first < bytes) break;
  }
  return length < most ? length : most;
}

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_SYS_TEXT_LENGTH_H_
