// Time-outs of seconds pass early if somebody wants them to.
//
// FINDS: exit
// SAYS: s passed early at
// OPTIONS: --executions 200 --early-timeouts any

#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::timed_mutex mutex;
  int got = 0;
  const auto work = [&] {
    if (!mutex.try_lock_for(10s)) return;
    std::this_thread::sleep_for(5ms);
    ++got;
    mutex.unlock();
  };
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
  return got == 2 ? 0 : 1;
}
