// A work-stealing deque whose owner takes the last element without asking the
// thieves. Thieves look at the same words again and again and work in between:
// whether that is a spin must not depend on whether anybody listens, or a
// failure that is seen while sites are profiled never comes back.
//
// FINDS: assertion
// OPTIONS: --executions 150
// SEEDS: 4

#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

namespace {

constexpr int kRoom = 8;
constexpr int kTasks = 4;

class Deque {
 public:
  void Push(int task) {
    const long bottom = bottom_.load(std::memory_order_relaxed);
    tasks_[bottom % kRoom].store(task, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    bottom_.store(bottom + 1, std::memory_order_relaxed);
  }

  int Take() {
    const long bottom = bottom_.load(std::memory_order_relaxed) - 1;
    bottom_.store(bottom, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const long top = top_.load(std::memory_order_relaxed);
    if (top > bottom) {
      bottom_.store(bottom + 1, std::memory_order_relaxed);
      return -1;
    }
    const int task = tasks_[bottom % kRoom].load(std::memory_order_relaxed);
    if (top == bottom) {
#ifdef FIXED
      long last = top;
      const bool own = top_.compare_exchange_strong(last, top + 1);
      bottom_.store(bottom + 1, std::memory_order_relaxed);
      if (!own) return -1;
#else
      top_.store(top + 1);  // wrong: a thief may have it by now
      bottom_.store(bottom + 1, std::memory_order_relaxed);
#endif
    }
    return task;
  }

  int Steal() {
    long top = top_.load(std::memory_order_acquire);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const long bottom = bottom_.load(std::memory_order_acquire);
    if (top >= bottom) return -1;
    const int task = tasks_[top % kRoom].load(std::memory_order_relaxed);
    return top_.compare_exchange_strong(top, top + 1) ? task : -1;
  }

 private:
  std::atomic<long> top_{0};
  std::atomic<long> bottom_{0};
  std::atomic<int> tasks_[kRoom];
};

Deque deque;
std::atomic<int> left{kTasks};
std::atomic<int> done[kTasks];

// Of nobody's concern but the caller's.
int Work(int task) {
  int sums[16] = {};
  for (int i = 0; i < 16; ++i) sums[i] = task * i + sums[(i + 15) % 16];
  return sums[15];
}

void Finish(int task) {
  if (Work(task) < 0) return;
  done[task].fetch_add(1);
  left.fetch_sub(1);
}

void Own() {
  for (int i = 0; i < kTasks; ++i) deque.Push(i);
  for (int task = deque.Take(); task != -1; task = deque.Take()) Finish(task);
}

void Help() {
  while (left.load() > 0) {
    const int task = deque.Steal();
    if (task >= 0) Finish(task);
  }
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  threads.emplace_back(Own);
  threads.emplace_back(Help);
  threads.emplace_back(Help);
  for (std::thread& thread : threads) thread.join();
  for (const std::atomic<int>& times : done) assert(times.load() == 1);
}
