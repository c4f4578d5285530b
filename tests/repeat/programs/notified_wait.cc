// std::atomic::wait() spins for a while and then sleeps, and is notified.
//
// FINDS:
// OPTIONS: --executions 300
// SEEDS: 1

#include <atomic>
#include <thread>

int main() {
  std::atomic<int> turn{0};
  int made = 0;
  std::thread worker([&] {
    made = 5;
    turn.store(1);
    turn.notify_one();
  });
  turn.wait(0);
  worker.join();
  return made == 5 ? 0 : 1;
}
