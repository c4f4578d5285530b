// A GoogleTest file with fixtures, parameters and matchers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

class Log {
 public:
  virtual ~Log() = default;
  virtual void Write(const std::string& line) = 0;
};

class MockLog : public Log {
 public:
  MOCK_METHOD(void, Write, (const std::string& line), (override));
};

std::map<std::string, int> Count(const std::vector<std::string>& words,
                                 Log& log) {
  std::map<std::string, int> counts;
  for (const std::string& word : words) {
    if (++counts[word] > 1) log.Write("again: " + word);
  }
  return counts;
}

TEST(Counting, TellsWhatComesAgain) {
  MockLog log;
  EXPECT_CALL(log, Write(HasSubstr("b"))).Times(1);
  EXPECT_THAT(Count({"a", "b", "b"}, log),
              ElementsAre(Pair("a", 1), Pair("b", 2)));
}

class Sorting : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    values_.resize(GetParam());
    std::iota(values_.rbegin(), values_.rend(), 0);
  }
  std::vector<int> values_;
};

TEST_P(Sorting, PutsTheLeastFirst) {
  std::sort(values_.begin(), values_.end());
  ASSERT_EQ(values_.size(), static_cast<size_t>(GetParam()));
  EXPECT_EQ(values_.front(), 0);
  EXPECT_LT(values_.front(), values_.back()) << "of " << values_.size();
}

INSTANTIATE_TEST_SUITE_P(Sizes, Sorting, ::testing::Values(2, 10, 100));

template <typename T>
class Limits : public ::testing::Test {};
using Types = ::testing::Types<int, unsigned, long, double>;
TYPED_TEST_SUITE(Limits, Types);

TYPED_TEST(Limits, AreInOrder) {
  EXPECT_LT(std::numeric_limits<TypeParam>::lowest(),
            std::numeric_limits<TypeParam>::max());
}

}  // namespace

int main(int argc, char** argv) {
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
