// atomic::wait and notify, for a type that is a futex word itself and for one
// that goes through libstdc++'s table of proxies, and atomic_flag.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <atomic>
#include <thread>
#include <vector>

int main() {
  std::atomic<int> word = 0;
  std::atomic<long> proxied = 0;
  std::atomic_flag flag;
  std::vector<std::thread> threads;
  int seen = 0;
  threads.emplace_back([&] {
    word.wait(0);
    if (word != 1) seen |= 1;
    proxied.wait(0);
    if (proxied != 2) seen |= 2;
    flag.wait(false);
    word = 2;
    word.notify_all();
  });
  threads.emplace_back([&] {
    word.wait(0);
    word.wait(1);
    if (word != 2) seen |= 4;
  });
  word = 1;
  word.notify_all();
  proxied = 2;
  proxied.notify_one();
  flag.test_and_set();
  flag.notify_one();
  for (auto& thread : threads) thread.join();
  return seen;
}
