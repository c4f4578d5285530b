// guard/memory.cc
//
// Memory that ends is new when it comes back: free, realloc, munmap, and the
// stack of a thread that begins. Also where threads begin.

#include <errno.h>

#include "guard/access.h"
#include "guard/board.h"
#include "guard/real.h"
#include "guard/self.h"
#include "guard/shadow.h"

namespace fairlead::guard {

constinit thread_local Self self = {};
constinit Self* lock_waiters[kMaxLockWaiters] = {};
constinit Living living = {.threads = 1, .blocked = 0, .unknown = 0};

namespace {

uint32_t last_thread = 0;

bool IsAwake() {
  const abi::GuardState state = StateNow();
  return (state == abi::GuardState::kGuarding ||
          state == abi::GuardState::kLearning) &&
         !IsOff();
}

// What a thread begins with, on its way to it.
struct Launch {
  void* (*routine)(void*);
  void* argument;
  uint32_t used;
};
constexpr uint32_t kLaunches = 256;
Launch launches[kLaunches];

Launch* TakeLaunch() {
  for (Launch& launch : launches) {
    uint32_t no = 0;
    if (__atomic_compare_exchange_n(&launch.used, &no, 1, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
      return &launch;
    }
  }
  return nullptr;
}

void ForgetStack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* begin = nullptr;
  size_t bytes = 0;
  if (pthread_attr_getstack(&attributes, &begin, &bytes) == 0) {
    // The part that is in use holds nothing of the program yet.
    Forget(reinterpret_cast<uint64_t>(begin), bytes);
  }
  pthread_attr_destroy(&attributes);
}

// Of a key whose destructor runs when a thread ends, in whatever way.
pthread_key_t end_key;
bool has_end_key = false;

void OnEnd(void*) { __atomic_fetch_sub(&living.threads, 1, __ATOMIC_SEQ_CST); }

void* Begin(void* given) {
  auto* launch = static_cast<Launch*>(given);
  const Launch mine = *launch;
  __atomic_store_n(&launch->used, 0, __ATOMIC_RELEASE);
  if (has_end_key && pthread_setspecific(end_key, &living) == 0) {
    self.launched = 1;
  }
  if (IsAwake()) ForgetStack();
  return mine.routine(mine.argument);
}

}  // namespace

void FollowThreads() {
  has_end_key = pthread_key_create(&end_key, OnEnd) == 0;
  self.launched = 1;
}

uint32_t NumberOfThread() {
  if (self.number == 0) {
    const uint32_t number =
        __atomic_add_fetch(&last_thread, 1, __ATOMIC_RELAXED);
    self.number = number < kMostThreads ? number : kMostThreads;
    self.random = number * 0x9e3779b97f4a7c15;
    if (self.launched == 0) {
      __atomic_store_n(&living.unknown, 1, __ATOMIC_SEQ_CST);
    }
    Count(&abi::GuardCounters::threads);
  }
  return self.number;
}

}  // namespace fairlead::guard

using namespace fairlead::guard;

#define GUARD_HOOK extern "C" __attribute__((visibility("default")))

GUARD_HOOK void free(void* block) {
  const RealFunctions& real = Real();
  // While libc looks up symbols, a block of its own may be lost.
  if (block == nullptr || real.free == nullptr) return;
  const int before = errno;
  if (IsAwake() && real.malloc_usable_size != nullptr) {
    EndBlock(reinterpret_cast<uint64_t>(block), real.malloc_usable_size(block));
  }
  errno = before;
  real.free(block);
}

GUARD_HOOK void* realloc(void* block, size_t bytes) {
  const RealFunctions& real = Real();
  if (real.realloc == nullptr) return nullptr;
  const bool follows =
      block != nullptr && IsAwake() && real.malloc_usable_size != nullptr;
  const auto old = reinterpret_cast<uint64_t>(block);
  const size_t had = follows ? real.malloc_usable_size(block) : 0;
  void* now = real.realloc(block, bytes);
  if (follows && now != nullptr && reinterpret_cast<uint64_t>(now) != old) {
    ForgetMemory(old, had);
  }
  return now;
}

GUARD_HOOK int munmap(void* begin, size_t bytes) {
  const int result = Real().munmap(begin, bytes);
  if (result == 0 && IsAwake() && self.inside == 0) {
    ForgetMemory(reinterpret_cast<uint64_t>(begin), bytes);
  }
  return result;
}

GUARD_HOOK int pthread_create(pthread_t* thread,
                              const pthread_attr_t* attributes,
                              void* (*routine)(void*), void* argument) {
  Launch* launch = IsAwake() ? TakeLaunch() : nullptr;
  if (launch == nullptr) {
    return Real().pthread_create(thread, attributes, routine, argument);
  }
  launch->routine = routine;
  launch->argument = argument;
  __atomic_fetch_add(&living.threads, 1, __ATOMIC_SEQ_CST);
  const int result = Real().pthread_create(thread, attributes, Begin, launch);
  if (result != 0) {
    __atomic_fetch_sub(&living.threads, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&launch->used, 0, __ATOMIC_RELEASE);
  }
  return result;
}

GUARD_HOOK int pthread_join(pthread_t thread, void** result) {
  const Blocked blocked;
  return Real().pthread_join(thread, result);
}
