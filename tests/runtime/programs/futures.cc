// std::async, std::promise, std::packaged_task, std::shared_future: values,
// exceptions, and a wait that times out.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>

using namespace std::chrono_literals;

int main() {
  auto square = std::async(std::launch::async, [](int x) { return x * x; }, 7);
  auto lazy = std::async(std::launch::deferred, [] { return 1; });
  std::promise<int> promise;
  std::shared_future<int> shared = promise.get_future().share();
  auto first = std::async(std::launch::async, [&] { return shared.get(); });
  auto second = std::async(std::launch::async, [&] { return shared.get(); });
  if (shared.wait_for(1ms) != std::future_status::timeout) return 1;
  std::packaged_task<int()> fails(
      []() -> int { throw std::runtime_error("no"); });
  auto failed = fails.get_future();
  std::thread worker(std::move(fails));
  promise.set_value(5);
  if (square.get() != 49 || lazy.get() != 1) return 2;
  if (first.get() + second.get() != 10) return 3;
  worker.join();
  try {
    failed.get();
    return 4;
  } catch (const std::runtime_error&) {
  }
  auto broken = std::promise<int>().get_future();
  try {
    broken.get();
    return 5;
  } catch (const std::future_error&) {
    return 0;
  }
}
