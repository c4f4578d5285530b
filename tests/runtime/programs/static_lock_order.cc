// A static's initialiser takes a mutex; another thread uses the static while
// it holds that mutex.
//
// EXPECT: ended(0) deadlock
// TEXT:   waits for the initialisation

#include <mutex>
#include <thread>

std::recursive_mutex mutex;

struct Table {
  Table() { std::lock_guard lock(mutex); }
};

void Use() { static Table table; }

int main() {
  std::thread thread(Use);
  {
    std::lock_guard lock(mutex);
    Use();
  }
  thread.join();
  return 0;
}
