// abi/step.h
//
// How a call in a translation unit comes to a stub (abi/hooks.h): by a step, a
// function of the unit that makes the address of a record of its distance from
// the unit's first one, and goes to the hook at once where its mode says so.
//
//   48 8d 05 <4 bytes>   lea   first(%rip), %rax
//   48 01 c6             add   %rax, %rsi            (c7: %rdi)
//   f6 46 <2 bytes>      testb bits, mode(%rsi)      (47: %rdi)
//   0f 84 <4 bytes>      je    stub
//   ff 25 <4 bytes>      jmp   *hook(%rip)
//
// or, where there is no mode, `e9 <4 bytes>`, a jump to the stub, behind the
// add. A thread that is stopped in one is at the call, as one in a stub is.
// Steps lie between other code, so that they are known by what they look like.
//
// Tier: freestanding.

#ifndef FAIRLEAD_ABI_STEP_H_
#define FAIRLEAD_ABI_STEP_H_

#include <stddef.h>
#include <stdint.h>

namespace fairlead::abi {

inline constexpr size_t kStepBytes = 26;  // the longer form
// Where its instructions begin.
inline constexpr size_t kStepInstructions[] = {0, 7, 10, 14, 20};

// Where the step at `code` leads, or null if there is none: kStepBytes bytes.
inline const uint8_t* StepTarget(const uint8_t* code) {
  const bool lea = code[0] == 0x48 && code[1] == 0x8d && code[2] == 0x05;
  const bool add = code[7] == 0x48 && code[8] == 0x01 &&
                   (code[9] == 0xc6 || code[9] == 0xc7);
  const bool jump = code[10] == 0xe9;
  const bool test = code[10] == 0xf6 && (code[11] & 0xfe) == 0x46 &&
                    code[14] == 0x0f && code[15] == 0x84 && code[20] == 0xff &&
                    code[21] == 0x25;
  if (!lea || !add || (!jump && !test)) return nullptr;
  const uint8_t* way = code + (jump ? 11 : 16);
  int32_t distance;
  __builtin_memcpy(&distance, way, sizeof(distance));
  return way + sizeof(distance) + distance;
}

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_STEP_H_
