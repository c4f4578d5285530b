// runtime/intercept/random.cc
//
// Asking the system for random numbers. The rules all hooks obey are in
// runtime/README.md.

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "runtime/gate/hook.h"
#include "runtime/model/random.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

extern "C" FL_HOOK ssize_t getrandom(void* to, size_t bytes, unsigned flags) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().getrandom(to, bytes, flags);
  DrawRandom(to, bytes);
  return static_cast<ssize_t>(bytes);
}

extern "C" FL_HOOK int getentropy(void* to, size_t bytes) {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().getentropy(to, bytes);
  // As the C library has it.
  if (bytes > 256) return hook.Fail(EIO);
  DrawRandom(to, bytes);
  return 0;
}

extern "C" FL_HOOK uint32_t arc4random() noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().arc4random();
  uint32_t number = 0;
  DrawRandom(&number, sizeof(number));
  return number;
}

extern "C" FL_HOOK void arc4random_buf(void* to, size_t bytes) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().arc4random_buf(to, bytes);
  DrawRandom(to, bytes);
}

extern "C" FL_HOOK uint32_t arc4random_uniform(uint32_t bound) noexcept {
  HookScope hook(FL_CALLER);
  if (!hook.controlled()) return real().arc4random_uniform(bound);
  uint64_t number = 0;
  DrawRandom(&number, sizeof(number));
  // 64 random bits leave no bias worth a second draw.
  return bound < 2 ? 0 : static_cast<uint32_t>(number % bound);
}
