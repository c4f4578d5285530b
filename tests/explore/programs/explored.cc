// Closures for fairlead::explore(); the argument says which.

#include <cassert>
#include <cstring>
#include <fairlead/explore.hpp>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

// Two threads that may lose one of two increments; true = none was lost.
bool Increment() {
  int counter = 0;
  const auto run = [&] { counter = counter + 1; };
  std::thread first(run);
  std::thread second(run);
  first.join();
  second.join();
  return counter == 2;
}

bool IncrementLocked() {
  int counter = 0;
  std::mutex mutex;
  const auto run = [&] {
    const std::lock_guard lock(mutex);
    counter = counter + 1;
  };
  std::thread first(run);
  std::thread second(run);
  first.join();
  second.join();
  return counter == 2;
}

void LockInTwoOrders() {
  std::mutex a;
  std::mutex b;
  std::thread first([&] {
    const std::lock_guard outer(a);
    const std::lock_guard inner(b);
  });
  std::thread second([&] {
    const std::lock_guard outer(b);
    const std::lock_guard inner(a);
  });
  first.join();
  second.join();
}

}  // namespace

int main(int, char** argv) {
  const auto is = [&](const char* word) {
    return std::strcmp(argv[1], word) == 0;
  };
  if (is("right")) return fairlead::explore(IncrementLocked) ? 0 : 1;
  if (is("false")) {
    // The second call is the one that fails.
    fairlead::explore({.iterations = 50, .name = "locked"}, IncrementLocked);
    return fairlead::explore({.iterations = 0, .name = "racy"}, Increment) ? 0
                                                                           : 1;
  }
  if (is("assert")) {
    fairlead::explore([] { assert(Increment()); });
  }
  if (is("throw")) {
    try {
      fairlead::explore([] {
        if (!Increment()) throw std::runtime_error("lost");
      });
    } catch (const std::runtime_error&) {
      return 3;
    }
  }
  if (is("deadlock")) fairlead::explore(LockInTwoOrders);
  if (is("detached")) {
    fairlead::explore([] {
      std::thread([] {
        std::mutex mutex;
        for (int i = 0; i < 100; ++i) const std::lock_guard lock(mutex);
      }).detach();
    });
  }
  return 0;
}
