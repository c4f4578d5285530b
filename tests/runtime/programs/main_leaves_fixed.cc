// main_leaves.cc with one order for both; the last one to end ends the process,
// and handlers of main run then.
//
// EXPECT: ended(3)
// PLAIN:  3

#include <pthread.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <thread>

static std::mutex a, b;
static int dead = 0;
static int locked = 0;

struct Object {
  ~Object() { dead = 1; }
};

int main() {
  Object object;
  std::atexit([] { _exit(dead + locked); });
  for (int i = 0; i < 2; ++i) {
    std::thread([] {
      std::lock_guard first(a);
      std::lock_guard second(b);
      ++locked;
    }).detach();
  }
  pthread_exit(nullptr);
}
