// An iterator is moved on behind a gap in which another thread may erase what
// it points to. The C++ library moves it, whose code has no sites: it crashes,
// since what is freed holds no addresses any more.
//
// FINDS: crash
// OPTIONS: --executions 300

#include <map>
#include <mutex>
#include <thread>

std::mutex mutex;
std::map<int, int> prices = {{1, 10}, {2, 20}, {3, 30}};
int sum = 0;

void Add() {
  std::unique_lock lock(mutex);
#ifdef FIXED
  for (int key = 1; key <= 3; ++key) {
    const auto at = prices.find(key);
    if (at == prices.end()) continue;
#else
  for (auto at = prices.begin(); at != prices.end(); ++at) {
#endif
    sum += at->second;
    lock.unlock();
    lock.lock();
  }
}

void Remove() {
  std::lock_guard lock(mutex);
  prices.erase(2);
}

int main() {
  std::thread a(Add), b(Remove);
  a.join();
  b.join();
  return sum >= 40 ? 0 : 1;
}
