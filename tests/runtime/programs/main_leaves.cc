// Main leaves by pthread_exit: its objects die, and those who are left wait for
// each other without it.
//
// EXPECT: ended(0) deadlock
// TEXT:   deadlock: main/1 wants to lock

#include <pthread.h>

#include <cstdlib>
#include <mutex>
#include <thread>

static std::mutex a, b;
static int dead = 0;

struct Object {
  ~Object() { dead = 1; }
};

int main() {
  Object object;
  std::thread one([] {
    std::lock_guard first(a);
    std::lock_guard second(b);
  });
  std::thread two([] {
    std::lock_guard first(b);
    std::lock_guard second(a);
    if (dead > 1) std::exit(1);
  });
  one.detach();
  two.detach();
  pthread_exit(nullptr);
}
