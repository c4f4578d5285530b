// Cooks and waiters around a counter with room for one dish. Without FIXED they
// share one bell, rung for one of those who listen: it may wake one who cannot
// do anything about it, and then everybody listens for ever.

#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

namespace {

class Counter {
 public:
  void Put(int dish) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return dishes_.empty(); });
    dishes_.push(dish);
    Ring(ready_);
  }
  int Take() {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [&] { return !dishes_.empty(); });
    const int dish = dishes_.front();
    dishes_.pop();
    Ring(room_);
    return dish;
  }

 private:
  static void Ring(std::condition_variable& bell) { bell.notify_one(); }

  std::mutex mutex_;
  std::condition_variable bell_;
#ifdef FIXED
  std::condition_variable other_bell_;
  std::condition_variable& ready_ = bell_;
  std::condition_variable& room_ = other_bell_;
#else
  std::condition_variable& ready_ = bell_;
  std::condition_variable& room_ = bell_;
#endif
  std::queue<int> dishes_;
};

}  // namespace

int main() {
  Counter counter;
  const auto cook = [&] {
    for (int dish = 0; dish < 2; ++dish) counter.Put(dish);
  };
  const auto serve = [&] {
    for (int dish = 0; dish < 2; ++dish) counter.Take();
  };
  std::thread threads[] = {std::thread(cook), std::thread(cook),
                           std::thread(serve), std::thread(serve)};
  for (std::thread& thread : threads) thread.join();
  return 0;
}
