// Two closures in one process: one loses an update now and then, the other
// locks in two orders. A deadlock behind a closure that failed is the same
// deadlock, and what failed among others is repeated alone.
//
// FINDS: closure deadlock
// OPTIONS: --executions 3000

#include <fairlead/explore.hpp>
#include <mutex>
#include <thread>

namespace {

bool LosesNothing() {
  int count = 0;
  const auto add = [&] {
    const int seen = count;
    count = seen + 1;
  };
  std::thread one(add);
  std::thread two(add);
  one.join();
  two.join();
  return count == 2;
}

bool Swaps() {
  std::mutex left, right;
  const auto both = [](std::mutex& first, std::mutex& second) {
    const std::lock_guard outer(first);
    const std::lock_guard inner(second);
  };
  std::thread one([&] { both(left, right); });
  std::thread two([&] { both(right, left); });
  one.join();
  two.join();
  return true;
}

}  // namespace

int main() {
  fairlead::explore([] { return LosesNothing(); });
  fairlead::explore([] { return Swaps(); });
}
