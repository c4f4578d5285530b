// C++ atomics in a compare-and-swap loop and a shared_ptr between threads.
//
// EXPECT: ended(0)

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

int main() {
  std::atomic<int> total{0};
  auto shared = std::make_shared<std::vector<int>>(10, 1);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([shared, &total] {
      for (int value : *shared) {
        int old = total.load(std::memory_order_relaxed);
        while (!total.compare_exchange_weak(old, old + value)) {
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  return total == 30 && shared.use_count() == 1 ? 0 : 1;
}
