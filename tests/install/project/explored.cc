// A test that explores; with `racy` one of two deposits may be lost.

#include <cstring>
#include <fairlead/explore.hpp>
#include <mutex>
#include <thread>

int main(int, char** argv) {
  const bool locked = std::strcmp(argv[1], "locked") == 0;
  const bool right = fairlead::explore([&] {
    int account = 0;
    std::mutex mutex;
    const auto deposit = [&] {
      std::unique_lock<std::mutex> lock(mutex, std::defer_lock);
      if (locked) lock.lock();
      account = account + 1;
    };
    std::thread first(deposit);
    std::thread second(deposit);
    first.join();
    second.join();
    return account == 2;
  });
  return right ? 0 : 1;
}
