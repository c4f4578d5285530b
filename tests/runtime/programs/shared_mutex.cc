// std::shared_mutex and std::shared_timed_mutex: readers see whole updates.
// Locks on the stack come and go at one address.
//
// EXPECT: ended(0)
// EVENTS: shared timed-out
// PLAIN:  0

#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "verify.h"

using namespace std::chrono_literals;

template <typename Mutex>
void Run() {
  Mutex mutex;
  int first = 0;
  int second = 0;
  std::thread writer([&] {
    for (int i = 0; i < 4; ++i) {
      std::unique_lock lock(mutex);
      ++first;
      ++second;
    }
  });
  for (int i = 0; i < 4; ++i) {
    std::shared_lock lock(mutex);
    VERIFY(first == second);
  }
  writer.join();
}

int main() {
  for (int i = 0; i < 3; ++i) {
    Run<std::shared_mutex>();
    Run<std::shared_timed_mutex>();
  }
  std::shared_timed_mutex timed;
  std::shared_lock reading(timed);
  std::thread other([&] {
    VERIFY(!timed.try_lock_for(1ms));
    VERIFY(!timed.try_lock_until(std::chrono::system_clock::now() + 1ms));
    VERIFY(timed.try_lock_shared_for(1ms));
    timed.unlock_shared();
  });
  other.join();
  return 0;
}
