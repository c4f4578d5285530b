// A unit test of a small queue, with Catch2. The queue is right: exploring it
// finds nothing.
//
//   fairlead-c++ -g examples/explore_catch2.cc -o queue_test
//   fairlead test -- ./queue_test

#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#include <condition_variable>
#include <deque>
#include <fairlead/explore.hpp>
#include <mutex>
#include <thread>

class Queue {
 public:
  void Push(int value) {
    const std::lock_guard<std::mutex> lock(mutex_);
    values_.push_back(value);
    filled_.notify_one();
  }
  int Pop() {
    std::unique_lock<std::mutex> lock(mutex_);
    filled_.wait(lock, [&] { return !values_.empty(); });
    const int value = values_.front();
    values_.pop_front();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<int> values_;
};

TEST_CASE("a queue gives back what was put in, in order") {
  const bool explored = fairlead::explore([] {
    Queue queue;
    std::thread producer([&] {
      queue.Push(1);
      queue.Push(2);
    });
    int first = 0;
    int second = 0;
    std::thread consumer([&] {
      first = queue.Pop();
      second = queue.Pop();
    });
    producer.join();
    consumer.join();
    return first == 1 && second == 2;
  });
  CHECK(explored);
}
