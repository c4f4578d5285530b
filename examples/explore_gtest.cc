// A unit test of a small cache, with GoogleTest. Plainly it passes; explored,
// it finds that two threads may both compute.
//
//   fairlead-c++ -g examples/explore_gtest.cc -o cache_test -lgtest
//   -lgtest_main
//   ./cache_test                        # once, as always
//   fairlead test -- ./cache_test       # under many schedules

#include <gtest/gtest.h>

#include <fairlead/explore.hpp>
#include <mutex>
#include <thread>

class Cache {
 public:
  // Computes the answer once, whoever asks first.
  int Answer() {
    if (!known_) {  // not under the lock: the bug
      const std::lock_guard<std::mutex> lock(mutex_);
      ++computed_;
      known_ = true;
    }
    return 42;
  }
  int computed() const { return computed_; }

 private:
  std::mutex mutex_;
  bool known_ = false;
  int computed_ = 0;
};

TEST(Cache, ComputesOnce) {
  fairlead::explore([] {
    Cache cache;
    std::thread first([&] { cache.Answer(); });
    std::thread second([&] { cache.Answer(); });
    first.join();
    second.join();
    EXPECT_EQ(cache.computed(), 1);
    return !testing::Test::HasFailure();
  });
}
