// C++20 coroutines that hop between the threads of a pool at every step, and
// end by symmetric transfer.
// FLAGS: -std=c++20 -O2

#include <atomic>
#include <condition_variable>
#include <coroutine>
#include <cstdio>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

class Pool {
 public:
  void Put(std::coroutine_handle<> handle) {
    std::lock_guard lock(mutex_);
    ready_.push_back(handle);
    changed_.notify_one();
  }
  void Close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  void Run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return closed_ || !ready_.empty(); });
      if (ready_.empty()) return;
      auto next = ready_.front();
      ready_.pop_front();
      lock.unlock();
      next.resume();
      lock.lock();
    }
  }
  auto Hop() {
    struct Awaiter {
      Pool* pool;
      bool await_ready() { return false; }
      void await_suspend(std::coroutine_handle<> me) { pool->Put(me); }
      void await_resume() {}
    };
    return Awaiter{this};
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::coroutine_handle<>> ready_;
  bool closed_ = false;
};

struct Task {
  struct promise_type {
    int value = 0;
    std::exception_ptr error;
    std::coroutine_handle<> then = std::noop_coroutine();
    Task get_return_object() {
      return Task{std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    auto final_suspend() noexcept {
      struct Transfer : std::suspend_always {
        std::coroutine_handle<> await_suspend(
            std::coroutine_handle<promise_type> me) noexcept {
          return me.promise().then;
        }
      };
      return Transfer{};
    }
    void return_value(int v) { value = v; }
    void unhandled_exception() { error = std::current_exception(); }
  };
  std::coroutine_handle<promise_type> handle;
  bool await_ready() { return false; }
  auto await_suspend(std::coroutine_handle<> waiter) {
    handle.promise().then = waiter;
    return handle;
  }
  int await_resume() {
    const int value = handle.promise().value;
    auto error = handle.promise().error;
    handle.destroy();
    if (error) std::rethrow_exception(error);
    return value;
  }
};

static Task Sum(Pool& pool, int n) {
  co_await pool.Hop();
  if (n == 0) co_return 0;
  if (n == 13) throw n;
  const int below = co_await Sum(pool, n - 1);
  co_await pool.Hop();
  co_return below + n;
}

static Task Guarded(Pool& pool, int n) {
  try {
    co_return co_await Sum(pool, n);
  } catch (int thrown) {
    co_return -thrown;
  }
}

struct Root {
  struct promise_type {
    Root get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

static Root Start(Pool& pool, int n, int* result, std::atomic<int>* left) {
  co_await pool.Hop();
  *result = co_await Guarded(pool, n);
  if (left->fetch_sub(1) == 1) pool.Close();
}

int main() {
  Pool pool;
  int results[4] = {};
  std::atomic<int> left{4};
  const int sizes[4] = {5, 10, 20, 3};
  for (int i = 0; i < 4; ++i) Start(pool, sizes[i], &results[i], &left);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([&] { pool.Run(); });
  threads.clear();
  for (int result : results) std::printf("%d ", result);
  std::puts("");
}
