// Two tests with a bug each, for GoogleTest: two findings, named after them.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

TEST(Till, KeepsEveryCoin) {
  int coins = 0;
  const auto pay = [&] { ++coins; };
  std::thread first(pay);
  std::thread second(pay);
  first.join();
  second.join();
  EXPECT_EQ(coins, 2);
}

TEST(Shelf, CountsDown) {
  std::atomic<int> jars{5};
  const auto take = [&] {
    const int before = jars;
    jars = before - 1;
  };
  std::thread first(take);
  std::thread second(take);
  first.join();
  second.join();
  EXPECT_EQ(jars, 3) << "a jar too many";
}

TEST(Door, Opens) { EXPECT_TRUE(true); }
