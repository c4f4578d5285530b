// Function-local statics: initialised once however many threads come; an
// exception leaves the next one to try again.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

std::mutex mutex;
int made = 0;
int failures = 0;

struct Once {
  Once() {
    for (int i = 0; i < 3; ++i) {
      std::lock_guard lock(mutex);  // points during the initialisation
      ++made;
    }
  }
};

struct Fails {
  Fails() {
    std::lock_guard lock(mutex);
    if (failures < 2) {
      ++failures;
      throw std::runtime_error("try again");
    }
  }
};

Once& TheOnce() {
  static Once once;
  return once;
}

void Use() {
  TheOnce();
  {
    std::lock_guard lock(mutex);
    if (made != 3) std::exit(1);
  }
  for (;;) {
    try {
      static Fails fails;
      return;
    } catch (const std::runtime_error&) {
    }
  }
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(Use);
  for (auto& thread : threads) thread.join();
  return failures == 2 && made == 3 ? 0 : 2;
}
