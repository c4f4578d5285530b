// Locks that live on the stack and in reused heap memory, made by constructors
// that call nothing: each is new, whatever was at its address before.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <condition_variable>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "verify.h"

struct Box {
  std::mutex mutex;
  std::condition_variable changed;
  std::shared_mutex lock;
  bool full = false;
};

static void Use(Box& box) {
  std::thread filler([&] {
    std::unique_lock writing(box.lock);
    std::lock_guard guard(box.mutex);
    box.full = true;
    box.changed.notify_one();
  });
  {
    std::unique_lock lock(box.mutex);
    box.changed.wait(lock, [&] { return box.full; });
  }
  filler.join();
  VERIFY(box.lock.try_lock_shared());
  box.lock.unlock_shared();
  VERIFY(box.mutex.try_lock());  // and is left locked, as far as we know
}

int main() {
  for (int i = 0; i < 3; ++i) {
    Box on_stack;
    Use(on_stack);
    auto on_heap = std::make_unique<Box>();
    Use(*on_heap);
  }
  return 0;
}
