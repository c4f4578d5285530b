// A thread that looks after the work in a minute: whoever works for
// milliseconds has long been done, so no wake-up is lost.
//
// FINDS:
// OPTIONS: --executions 60

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

#ifndef PAUSE
#define PAUSE 60s
#endif

int main() {
  std::mutex mutex;
  std::condition_variable looked;
  bool waiting = false;
  std::thread watchdog([&] {
    std::this_thread::sleep_for(PAUSE);
    std::lock_guard lock(mutex);
    if (waiting) looked.notify_one();
  });
  for (int i = 0; i < 3; ++i) std::this_thread::yield();
  std::unique_lock lock(mutex);
  waiting = true;
  looked.wait(lock);
  lock.unlock();
  watchdog.join();
}
