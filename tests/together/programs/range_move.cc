// A range whose ends are set one after the other; nothing fails, but it may be
// left inside out.
#include <mutex>
#include <thread>

class Range {
 public:
  void SetLow(long low) {
    std::lock_guard<std::mutex> hold(lock_);
    low_ = low;
  }
  void SetHigh(long high) {
    std::lock_guard<std::mutex> hold(lock_);
    high_ = high;
  }
  void Move(long low, long high) {
#ifdef FIXED
    std::lock_guard<std::mutex> hold(lock_);
    low_ = low;
    high_ = high;
#else
    SetLow(low);
    SetHigh(high);
#endif
  }

 private:
  std::mutex lock_;
  long low_ = 0;
  long high_ = 0;
};

int main() {
  Range range;
  std::thread up(&Range::Move, &range, 100, 200);
  std::thread down(&Range::Move, &range, 1, 2);
  up.join();
  down.join();
  return 0;
}
