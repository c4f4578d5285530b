// R-R | W, and no data race: a queue is not empty, and then it is.
#include <deque>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "jitter.h"

namespace {

class Queue {
 public:
  void Put(int value) {
    std::lock_guard<std::mutex> lock(mutex_);
    values_[count_] = value;
    ++count_;
  }
  bool Empty() {
    std::lock_guard<std::mutex> lock(mutex_);
    return count_ == 0;
  }
  int Take() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (count_ == 0) throw std::runtime_error("the queue is empty");
    return values_[--count_];
  }

 private:
  std::mutex mutex_;
  int values_[64] = {};
  int count_ = 0;
};

Queue queue;

void Consume() {
  work(0, 200);
  while (!queue.Empty()) {
    work(0, 2);
    queue.Take();
    work(300, 2500);
  }
}

}  // namespace

int main() {
  for (int i = 0; i < 6; ++i) queue.Put(i);
  std::thread one(Consume);
  std::thread two(Consume);
  one.join();
  two.join();
  return 0;
}
