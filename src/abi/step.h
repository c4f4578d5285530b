// abi/step.h
//
// How a call in a translation unit comes to a stub (abi/hooks.h): by a step, a
// function of the unit that makes the address of a record of its distance from
// the unit's first one.
//
//   48 8d 05 <4 bytes>   lea  first(%rip), %rax
//   48 01 c6             add  %rax, %rsi          (c7: %rdi)
//   e9 <4 bytes>         jmp  stub
//
// A thread that is stopped in one is at the call, as one in a stub is. Steps
// lie between other code, so that they are known by what they look like.
//
// Tier: freestanding.

#ifndef FAIRLEAD_ABI_STEP_H_
#define FAIRLEAD_ABI_STEP_H_

#include <stddef.h>
#include <stdint.h>

namespace fairlead::abi {

inline constexpr size_t kStepBytes = 15;
// Where its instructions begin.
inline constexpr size_t kStepInstructions[] = {0, 7, 10};

// Where the step at `code` leads, or null if there is none: kStepBytes bytes.
inline const uint8_t* StepTarget(const uint8_t* code) {
  const bool lea = code[0] == 0x48 && code[1] == 0x8d && code[2] == 0x05;
  const bool add = code[7] == 0x48 && code[8] == 0x01 &&
                   (code[9] == 0xc6 || code[9] == 0xc7);
  if (!lea || !add || code[10] != 0xe9) return nullptr;
  int32_t distance;
  __builtin_memcpy(&distance, code + 11, sizeof(distance));
  return code + kStepBytes + distance;
}

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_STEP_H_
