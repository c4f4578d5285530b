// std::latch, std::barrier, std::counting_semaphore and std::binary_semaphore,
// all made of futexes.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <barrier>
#include <chrono>
#include <cstdlib>
#include <latch>
#include <mutex>
#include <semaphore>
#include <thread>
#include <vector>

int main() {
  constexpr int kThreads = 3;
  std::latch start(kThreads + 1);
  int phases = 0;  // written by the barrier alone
  std::barrier meet(kThreads, [&]() noexcept { ++phases; });
  std::counting_semaphore<4> slots(2);
  std::binary_semaphore done(0);
  std::mutex mutex;
  int inside = 0;
  int finished = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      start.arrive_and_wait();
      for (int phase = 1; phase <= 3; ++phase) {
        slots.acquire();
        {
          std::lock_guard lock(mutex);
          if (++inside > 2) std::exit(2);
        }
        std::this_thread::yield();
        {
          std::lock_guard lock(mutex);
          --inside;
        }
        slots.release();
        meet.arrive_and_wait();
        // Nobody passes the next barrier before everybody has looked.
        if (phases != 2 * phase - 1) std::exit(3);
        meet.arrive_and_wait();
      }
      std::lock_guard lock(mutex);
      if (++finished == kThreads) done.release();
    });
  }
  start.count_down();
  start.wait();
  done.acquire();
  if (done.try_acquire()) std::exit(5);
  if (done.try_acquire_for(std::chrono::milliseconds(1))) std::exit(6);
  for (auto& thread : threads) thread.join();
  return finished == kThreads && phases == 6 ? 0 : 1;
}
