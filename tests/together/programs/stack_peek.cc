// PREDICTED, not found: the consumer cannot come first.
// A stack with a cached top, as a template over a standard container.
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

template <typename T>
class Stack {
 public:
  void Push(T value) {
    std::unique_lock<std::mutex> hold(mutex_);
    items_.push_back(value);
#ifndef FIXED
    hold.unlock();
    hold.lock();
#endif
    top_ = value;
    ready_.notify_one();
  }
  T Pop() {
    std::unique_lock<std::mutex> hold(mutex_);
    while (items_.empty()) ready_.wait(hold);
    const T value = items_.back();
    items_.pop_back();
    top_ = items_.empty() ? T{} : items_.back();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable ready_;
  std::vector<T> items_;
  T top_{};
};

int main() {
  Stack<int> stack;
  int got = 0;
  std::thread pushes([&] {
    stack.Push(7);
    stack.Push(8);
  });
  std::thread pops([&] { got = stack.Pop(); });
  pushes.join();
  pops.join();
  return got == 0;
}
