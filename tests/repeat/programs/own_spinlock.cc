// A lock of the program's own that spins, around calls whose locals others
// could see: what those overwrite on the stack is chance, and must not decide
// whether the threads that spin have anything to look at again.
//
// FOLLOWS: random surw pct
// SEEDS: 8

#include <atomic>
#include <thread>
#include <vector>

class Spinlock {
 public:
  void lock() {
    while (held_.exchange(true)) {
      while (held_.load(std::memory_order_relaxed)) continue;
    }
  }
  void unlock() { held_ = false; }

 private:
  std::atomic<bool> held_ = false;
};

int main() {
  Spinlock lock;
  std::vector<size_t> numbers;
  const auto work = [&] {
    for (int i = 0; i < 3; ++i) {
      lock.lock();
      numbers.push_back(numbers.size());
      lock.unlock();
    }
  };
  std::thread one(work);
  std::thread two(work);
  std::thread three(work);
  one.join();
  two.join();
  three.join();
  return numbers.size() == 9 && numbers[8] == 8 ? 0 : 1;
}
