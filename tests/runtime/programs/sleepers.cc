// Sleeping takes no real time; the clock says that it did. A thread that spins
// meanwhile does not keep time from passing.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <errno.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

int main() {
  std::mutex mutex;
  std::string order;
  std::atomic<bool> flag = false;
  const auto start = std::chrono::steady_clock::now();
  auto note = [&](char letter) {
    std::lock_guard lock(mutex);
    order += letter;
  };
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    std::this_thread::sleep_for(2s);
    note('d');
  });
  threads.emplace_back([&] {
    sleep(1);
    note('c');
    flag = true;
  });
  threads.emplace_back([&] {
    usleep(200000);
    note('a');
  });
  threads.emplace_back([&] {
    const timespec time = {0, 600000000};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nullptr);
    note('b');
  });
  threads.emplace_back([&] {
    while (!flag) std::this_thread::yield();  // while the others sleep
  });
  for (auto& thread : threads) thread.join();
  if (std::chrono::steady_clock::now() - start < 2s) return 3;
  const timespec wrong = {0, -1};
  if (nanosleep(&wrong, nullptr) != -1 || errno != EINVAL) return 2;
  return order.size() == 4 ? 0 : 1;
}
