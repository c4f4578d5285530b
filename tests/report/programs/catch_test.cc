// Three tests of Catch2, one with a lost update; names that patterns would read
// otherwise.

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else
#include <catch2/catch.hpp>
#endif
#include <mutex>
#include <thread>

namespace {

template <typename Step>
void Twice(Step step) {
  std::thread one(step);
  std::thread two(step);
  one.join();
  two.join();
}

}  // namespace

TEST_CASE("adds, up") { CHECK(2 + 2 == 4); }

TEST_CASE("loses [one] of two") {
  int count = 0;
  Twice([&] {
    const int seen = count;
    count = seen + 1;
  });
  CHECK(count == 2);
}

TEST_CASE("keeps both") {
  int count = 0;
  std::mutex mutex;
  Twice([&] {
    const std::lock_guard held(mutex);
    ++count;
  });
  CHECK(count == 2);
}
