// Threads that spin in code of the C++ library, some before they sleep: when a
// thread counts as one that spins must not depend on whether events are told,
// or a schedule could not be followed with a trace that was recorded without.
// Calls that are no points stand between those that are.
//
// FOLLOWS: random surw pct
// SEEDS: 6

#include <atomic>
#include <barrier>
#include <latch>
#include <thread>

int main() {
  std::latch begun(2);
  std::barrier turn(2);
  std::atomic<int> rounds = 0;
  const auto work = [&] {
    begun.arrive_and_wait();
    for (int i = 0; i < 2; ++i) {
      turn.arrive_and_wait();
      ++rounds;
      rounds.notify_all();
    }
  };
  std::thread one(work);
  std::thread two(work);
  rounds.wait(0);
  one.join();
  two.join();
  return rounds == 4 ? 0 : 1;
}
