// Whether there is something left is asked in one locked section, and what is
// left is taken in another. Fixed: one section.

#include <gtest/gtest.h>

#include <mutex>
#include <thread>

class Stock {
 public:
  void Buy() {
#ifdef FIXED
    const std::lock_guard<std::mutex> lock(mutex_);
    if (left_ > 0) --left_;
#else
    if (Left() > 0) Take();
#endif
  }

  int Left() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return left_;
  }

 private:
  void Take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    --left_;
  }

  std::mutex mutex_;
  int left_ = 1;
};

TEST(Stock, IsNeverOversold) {
  Stock stock;
  std::thread one([&] { stock.Buy(); });
  std::thread other([&] { stock.Buy(); });
  one.join();
  other.join();
  EXPECT_EQ(stock.Left(), 0);
}
