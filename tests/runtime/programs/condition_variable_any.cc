// std::condition_variable_any over a shared lock, std::timed_mutex,
// std::recursive_timed_mutex, wait_for and wait_until; condition variables on
// the stack that come and go at one address.
//
// EXPECT: ended(0)
// EVENTS: timed-out woken-by-signal
// PLAIN:  0

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "verify.h"

using namespace std::chrono_literals;

int main() {
  std::shared_mutex mutex;
  std::timed_mutex timed;
  std::recursive_timed_mutex recursive;
  bool done = false;
  for (int round = 0; round < 2; ++round) {
    std::condition_variable_any any;
    std::condition_variable plain;
    done = false;
    std::thread setter([&] {
      std::unique_lock lock(mutex);
      done = true;
      any.notify_all();
    });
    {
      std::shared_lock lock(mutex);
      any.wait(lock, [&] { return done; });
    }
    setter.join();
    std::mutex own;
    std::unique_lock lock(own);
    VERIFY(plain.wait_for(lock, 1ms) == std::cv_status::timeout);
    const auto soon = std::chrono::system_clock::now() + 1ms;
    VERIFY(!plain.wait_until(lock, soon, [] { return false; }));
  }
  std::lock_guard held(timed);
  std::lock_guard twice(recursive);
  std::thread other([&] {
    VERIFY(!timed.try_lock_for(1ms));
    VERIFY(!recursive.try_lock_until(std::chrono::steady_clock::now() + 1ms));
  });
  other.join();
  VERIFY(recursive.try_lock_for(1ms));
  recursive.unlock();
  return 0;
}
