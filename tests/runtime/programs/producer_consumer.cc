// A bounded queue with two condition variables, std::thread and std::mutex.
//
// EXPECT: ended(0)

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

int main() {
  std::mutex mutex;
  std::condition_variable not_empty, not_full;
  std::queue<int> queue;
  constexpr int kItems = 30;
  int sum = 0;
  std::vector<std::thread> threads;
  for (int p = 0; p < 2; ++p) {
    threads.emplace_back([&] {
      for (int i = 1; i <= kItems; ++i) {
        std::unique_lock lock(mutex);
        not_full.wait(lock, [&] { return queue.size() < 3; });
        queue.push(i);
        not_empty.notify_one();
      }
    });
  }
  threads.emplace_back([&] {
    for (int i = 0; i < 2 * kItems; ++i) {
      std::unique_lock lock(mutex);
      not_empty.wait(lock, [&] { return !queue.empty(); });
      sum += queue.front();
      queue.pop();
      not_full.notify_one();
    }
  });
  for (auto& thread : threads) thread.join();
  std::printf("%d\n", sum);
  return sum == kItems * (kItems + 1) ? 0 : 1;
}
