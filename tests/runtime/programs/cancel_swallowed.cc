// A catch (...) that keeps the exception which ends its thread: the program is
// aborted, as libc would.
//
// EXPECT: signaled(6)
// SEEDS:  4

#include <pthread.h>

#include <condition_variable>
#include <mutex>

static std::mutex mutex;
static std::condition_variable cond;

static void* Waits(void*) {
  try {
    std::unique_lock lock(mutex);
    for (;;) cond.wait(lock);
  } catch (...) {
  }
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, Waits, nullptr);
  pthread_cancel(thread);
  pthread_join(thread, nullptr);
  return 0;
}
