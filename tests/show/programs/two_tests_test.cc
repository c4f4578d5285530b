// Of three tests the middle one fails: Visit counts without a lock. The others
// share as much, rightly. Fix: an atomic count.
//
// FUNCTIONS: Gate::Visit
// HIDES: Shelf

#include <gtest/gtest.h>

#include <mutex>
#include <thread>
#include <vector>

class Shelf {
 public:
  void Add(int book) {
    const std::lock_guard<std::mutex> lock(mutex_);
    books_.push_back(book);
    ++size_;
  }
  int size() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return size_;
  }

 private:
  std::mutex mutex_;
  std::vector<int> books_;
  int size_ = 0;
};

class Gate {
 public:
  void Visit() {
    const int before = visits_;  // SHOWS
    visits_ = before + 1;        // SHOWS
  }
  int visits() const { return visits_; }

 private:
  int visits_ = 0;
};

template <typename Do>
void InTwoThreads(Do work) {
  std::thread one(work);
  std::thread other(work);
  one.join();
  other.join();
}

TEST(ShelfTest, KeepsAll) {
  Shelf shelf;
  InTwoThreads([&] { shelf.Add(1); });
  EXPECT_EQ(shelf.size(), 2);
}

TEST(GateTest, CountsAll) {
  Gate gate;
  InTwoThreads([&] { gate.Visit(); });
  EXPECT_EQ(gate.visits(), 2);  // SHOWS
}

TEST(ShelfTest, KeepsMore) {
  Shelf shelf;
  InTwoThreads([&] {
    shelf.Add(1);
    shelf.Add(2);
  });
  EXPECT_EQ(shelf.size(), 4);
}
