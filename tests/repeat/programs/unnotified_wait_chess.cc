// The same as unnotified_wait.cc, by systematic search: to say that all
// schedules have been run, it must have seen this one.
//
// FINDS: lost-wakeup
// OPTIONS: --strategy chess --executions 2000
// SEEDS: 1

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
