// main returns while a thread works; a static destructor ends the process.
//
// EXPECT: ended(4)

#include <cstdlib>
#include <mutex>
#include <thread>

static std::mutex mutex;

struct Last {
  ~Last() {
    std::lock_guard lock(mutex);
    _Exit(4);
  }
} last;

int main() {
  std::thread([] {
    for (int i = 0; i < 100; ++i) std::lock_guard lock(mutex);
  }).detach();
  std::lock_guard lock(mutex);
  return 3;
}
