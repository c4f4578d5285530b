// Nothing overflows: UndefinedBehaviorSanitizer has nothing to report.
//
// BUILD:  -fsanitize=undefined
// EXPECT: ended(0)
// SEEDS:  8

#include <limits.h>

#include <mutex>
#include <thread>

static std::mutex lock;
static int value = INT_MAX;

int main() {
  std::thread adder([] {
    std::lock_guard hold(lock);
    if (value < INT_MAX) value += 1;
  });
  std::thread setter([] {
    std::lock_guard hold(lock);
    value = 0;
  });
  adder.join();
  setter.join();
}
