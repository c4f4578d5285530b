// std::atomic::wait() spins for a while and then sleeps; nobody notifies it.
// The spin must be able to end before the store that it waits for.
//
// FINDS: lost-wakeup
// OPTIONS: --executions 300
// SEEDS: 3

#include <atomic>
#include <thread>

int main() {
  std::atomic<int> turn{0};
  int made = 0;
  std::thread worker([&] {
    made = 5;
    turn.store(1);  // wrong: no notify_one() behind it
  });
  turn.wait(0);
  worker.join();
  return made == 5 ? 0 : 1;
}
