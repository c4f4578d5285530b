// Ten tests of GoogleTest, two of which have a bug that most schedules hide:
// plain ones, with a fixture, parameterised, typed, disabled, a death test, and
// an environment that is set up for all of them.

#include <gtest/gtest.h>

#include <mutex>
#include <thread>

namespace {

int prepared = 0;

class Stage : public testing::Environment {
 public:
  void SetUp() override { prepared = 7; }
  void TearDown() override { prepared = 0; }
};
[[maybe_unused]] testing::Environment* const stage =
    testing::AddGlobalTestEnvironment(new Stage);

template <typename Step>
void Twice(Step step) {
  std::thread one(step);
  std::thread two(step);
  one.join();
  two.join();
}

class Bank : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(prepared, 7); }
  int balance_ = 0;
  std::mutex mutex_;
};

TEST_F(Bank, KeepsMoney) {  // a bug: two deposits at once lose one
  Twice([this] {
    const int seen = balance_;
    balance_ = seen + 1;
  });
  EXPECT_EQ(balance_, 2);
}

TEST_F(Bank, KeepsMoneyUnderALock) {
  Twice([this] {
    const std::lock_guard held(mutex_);
    ++balance_;
  });
  EXPECT_EQ(balance_, 2);
}

TEST(Shop, SellsTheLastOneOnce) {  // a bug: looks, and then sells
  int stock = 1;
  int sold = 0;
  std::mutex mutex;
  Twice([&] {
    bool left = false;
    {
      const std::lock_guard held(mutex);
      left = stock > 0;
    }
    if (!left) return;
    const std::lock_guard held(mutex);
    --stock;
    ++sold;
  });
  EXPECT_EQ(sold, 1);
}

TEST(Shop, AddsUp) { EXPECT_EQ(2 + 2, 4); }
TEST(Shop, DISABLED_IsLater) { FAIL(); }

class Sizes : public testing::TestWithParam<int> {};
TEST_P(Sizes, AreCounted) {
  std::mutex mutex;
  int count = 0;
  Twice([&] {
    for (int i = 0; i < GetParam(); ++i) {
      const std::lock_guard held(mutex);
      ++count;
    }
  });
  EXPECT_EQ(count, 2 * GetParam());
}
INSTANTIATE_TEST_SUITE_P(Some, Sizes, testing::Values(1, 2));

template <typename T>
class Number : public testing::Test {};
using Types = testing::Types<int, long>;
TYPED_TEST_SUITE(Number, Types);
TYPED_TEST(Number, Adds) { EXPECT_EQ(TypeParam(1) + TypeParam(1), 2); }

TEST(QuitDeathTest, Ends) {
  EXPECT_EXIT(_exit(3), testing::ExitedWithCode(3), "");
}

}  // namespace
