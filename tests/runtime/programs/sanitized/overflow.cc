// A report of UndefinedBehaviorSanitizer does not end the program, and is seen
// all the same.
//
// BUILD:  -fsanitize=undefined
// EXPECT: ended(0) ended(0)+misuse
// TEXT:   runtime error: signed integer overflow
// SEEDS:  16

#include <limits.h>

#include <mutex>
#include <thread>

static std::mutex lock;
static int value = INT_MAX;

int main() {
  std::thread adder([] {
    std::lock_guard hold(lock);
    value += 1;
  });
  std::thread setter([] {
    std::lock_guard hold(lock);
    value = 0;
  });
  adder.join();
  setter.join();
}
