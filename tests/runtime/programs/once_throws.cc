// A routine that throws, or that pthread_exit leaves, has not been run: the
// next caller tries again. std::call_once is the same.
//
// EXPECT: ended(0)
// EVENTS: once once-done
// PLAIN:  0

#include <pthread.h>
#include <sched.h>

#include <mutex>
#include <stdexcept>
#include <thread>

#include "verify.h"

static pthread_once_t control = PTHREAD_ONCE_INIT;
static std::once_flag flag;
static int attempts;
static int flag_attempts;

static void ThirdTimeLucky() {
  sched_yield();
  if (++attempts == 1) throw std::runtime_error("not yet");
  if (attempts == 2) pthread_exit(nullptr);
}

static void Use() {
  for (;;) {
    try {
      pthread_once(&control, ThirdTimeLucky);
      break;
    } catch (const std::runtime_error&) {
    }
  }
  VERIFY(attempts == 3);
  for (;;) {
    try {
      std::call_once(flag, [] {
        sched_yield();
        if (++flag_attempts < 3) throw 1;
      });
      break;
    } catch (int) {
    }
  }
  VERIFY(flag_attempts == 3);
}

static void* Start(void*) {
  Use();
  return nullptr;
}

int main() {
  pthread_t threads[3];
  for (pthread_t& thread : threads) {
    pthread_create(&thread, nullptr, Start, nullptr);
  }
  for (pthread_t& thread : threads) pthread_join(thread, nullptr);
  VERIFY(attempts == 3);
  VERIFY(flag_attempts == 3);
  return 0;
}
