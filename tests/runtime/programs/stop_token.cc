// std::jthread asks its thread to stop and joins it; a condition_variable_any
// wakes up for the request; a std::shared_mutex is read and written.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <stop_token>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::shared_mutex table;
  int value = 0;
  bool woken_for_stop = false;
  int callbacks = 0;
  {
    std::jthread waits([&](std::stop_token stop) {
      std::unique_lock lock(mutex);
      woken_for_stop = !changed.wait(lock, stop, [] { return false; });
    });
    std::stop_callback count(waits.get_stop_token(), [&] { ++callbacks; });
    std::jthread spins([](std::stop_token stop) {
      while (!stop.stop_requested()) std::this_thread::yield();
    });
    std::jthread writes([&] {
      std::unique_lock lock(table);
      ++value;
    });
    std::jthread reads([&] {
      std::shared_lock lock(table);
      if (value > 1) value = 100;
    });
    waits.request_stop();  // the others are asked when their scope ends
  }
  return woken_for_stop && callbacks == 1 && value == 1 ? 0 : 1;
}
