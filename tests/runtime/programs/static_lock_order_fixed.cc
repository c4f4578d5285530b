// static_lock_order.cc, with the static used before the mutex is taken.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <mutex>
#include <thread>

std::recursive_mutex mutex;

struct Table {
  Table() { std::lock_guard lock(mutex); }
};

void Use() { static Table table; }

int main() {
  std::thread thread(Use);
  Use();
  {
    std::lock_guard lock(mutex);
    Use();
  }
  thread.join();
  return 0;
}
