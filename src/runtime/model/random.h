// runtime/model/random.h
//
// Random numbers that the program asks the system for. They are the same in
// every execution, whatever its seed: a program that draws them behaves alike
// under every schedule, and a schedule needs not remember them.
//
// Incomplete: numbers that a program draws from the processor (rdrand) or reads
// from /dev/urandom are the real ones.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_RANDOM_H_
#define FAIRLEAD_RUNTIME_MODEL_RANDOM_H_

#include <stddef.h>

namespace fairlead::rt {

// Fills `bytes` bytes at `to` with the next numbers.
void DrawRandom(void* to, size_t bytes);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_RANDOM_H_
