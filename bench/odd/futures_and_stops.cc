// Promises kept at thread exit, broken ones, deferred calls; stop requests with
// callbacks; a barrier's completion.
// FLAGS: -std=c++20 -O2

#include <atomic>
#include <barrier>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <latch>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

int main() {
  std::promise<int> late, broken;
  auto value = late.get_future();
  auto nothing = broken.get_future();
  std::thread maker([&late, dropped = std::move(broken)]() mutable {
    thread_local int at_end = 5;
    late.set_value_at_thread_exit(at_end);
    auto gone = std::move(dropped);
  });
  int code = 0;
  try {
    nothing.get();
  } catch (const std::future_error& error) {
    code = error.code() == std::future_errc::broken_promise;
  }
  const int kept = value.get();
  maker.join();
  auto lazy = std::async(std::launch::deferred,
                         [] { return std::this_thread::get_id(); });
  const bool here = lazy.get() == std::this_thread::get_id();
  std::shared_future<int> shared =
      std::async(std::launch::async, [] { return 21; });
  std::atomic<int> sum{0}, callbacks{0}, completions{0};
  std::barrier meet(3, [&completions]() noexcept { ++completions; });
  std::latch gone(3);
  std::mutex mutex;
  std::condition_variable_any changed;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i)
      threads.emplace_back([&](std::stop_token token) {
        sum += shared.get();
        for (int round = 0; round < 4; ++round) meet.arrive_and_wait();
        meet.arrive_and_drop();
        std::stop_callback count(token, [&] { ++callbacks; });
        std::unique_lock lock(mutex);
        changed.wait(lock, token, [] { return false; });
        gone.count_down();
      });
    for (auto& thread : threads) thread.request_stop();
    gone.wait();
  }
  std::printf("%d %d %d sum %d, callbacks %d, completions %d\n", code, kept,
              here, sum.load(), callbacks.load(), completions.load());
}
