// The value is changed and nobody is told: a waiter that was fast enough to
// wait sleeps for ever.
//
// EXPECT: ended(0) deadlock
// TEXT:   waits on futex
// SEEDS:  64

#include <atomic>
#include <thread>

int main() {
  std::atomic<int> ready = 0;
  std::thread waiter([&] { ready.wait(0); });
  for (int i = 0; i < 4; ++i) std::this_thread::yield();
  ready = 1;  // and no notify
  waiter.join();
  return 0;
}
