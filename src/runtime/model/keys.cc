#include "runtime/model/keys.h"

#include <limits.h>

#include "runtime/gate/hook.h"

namespace fairlead::rt {
namespace {

using Destructor = void (*)(void*);

Destructor destructors[PTHREAD_KEYS_MAX];  // by key; null = none
pthread_key_t end = 0;                     // all keys are below

// One round over all keys. True when a destructor was called.
bool RunRound(Thread& thread) {
  bool any = false;
  for (pthread_key_t key = 0; key < end; ++key) {
    if (destructors[key] == nullptr) continue;
    void* value = pthread_getspecific(key);
    if (value == nullptr) continue;
    pthread_setspecific(key, nullptr);
    any = true;
    ProgramScope program(thread);
    destructors[key](value);
  }
  return any;
}

}  // namespace

void RememberKey(pthread_key_t key, Destructor destructor) {
  if (key >= PTHREAD_KEYS_MAX) return;
  destructors[key] = destructor;
  if (key >= end) end = key + 1;
}

void ForgetKey(pthread_key_t key) {
  if (key < PTHREAD_KEYS_MAX) destructors[key] = nullptr;
}

void RunKeyDestructors(Thread& thread) {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    if (!RunRound(thread)) return;
  }
  // What is left now is lost, as POSIX says; libc must not try again.
  for (pthread_key_t key = 0; key < end; ++key) {
    if (destructors[key] != nullptr) pthread_setspecific(key, nullptr);
  }
}

}  // namespace fairlead::rt
