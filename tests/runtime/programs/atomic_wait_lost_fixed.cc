// atomic_wait_lost.cc with the notification.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <atomic>
#include <thread>

int main() {
  std::atomic<int> ready = 0;
  std::thread waiter([&] { ready.wait(0); });
  for (int i = 0; i < 4; ++i) std::this_thread::yield();
  ready = 1;
  ready.notify_one();
  waiter.join();
  return 0;
}
