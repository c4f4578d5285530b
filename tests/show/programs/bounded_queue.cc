// One who is woken takes without looking again whether there is something. Fix:
// `while` in Take.
//
// FUNCTIONS: Queue::Take

#include <assert.h>

#include <condition_variable>
#include <mutex>
#include <thread>

class Queue {
 public:
  void Put(int item) {
    std::unique_lock<std::mutex> lock(mutex_);
    while (count_ == kRoom) not_full_.wait(lock);
    items_[(first_ + count_) % kRoom] = item;
    ++count_;
    not_empty_.notify_all();
  }

  int Take() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (count_ == 0) not_empty_.wait(lock);  // SHOWS
    assert(count_ > 0);                      // SHOWS
    const int item = items_[first_];
    first_ = (first_ + 1) % kRoom;
    --count_;  // SHOWS
    not_full_.notify_one();
    return item;
  }

 private:
  static constexpr int kRoom = 2;
  std::mutex mutex_;
  std::condition_variable not_empty_, not_full_;
  int items_[kRoom] = {};
  int first_ = 0;
  int count_ = 0;
};

int main() {
  static Queue queue;
  std::thread consumers[2];
  for (std::thread& each : consumers) {
    each = std::thread([] { queue.Take(); });
  }
  queue.Put(1);
  queue.Put(2);
  for (std::thread& each : consumers) each.join();
  return 0;
}
