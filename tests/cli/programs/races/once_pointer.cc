// A settings object is made on first use. Who comes later looks at the pointer
// without the lock, and nothing but luck shows it what the pointer leads to.
// With -DFIXED the pointer is atomic.
// RACES: low once_pointer.cc:26 once_pointer.cc:29
// FIXED: none

#include <atomic>
#include <mutex>
#include <thread>

namespace {

struct Limits {
  int requests = 64;
  int seconds = 5;
};

#ifdef FIXED
std::atomic<Limits*> limits;
#else
Limits* limits;
#endif
std::mutex mutex;

int Requests() {
  Limits* known = limits;
  if (known == nullptr) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (limits == nullptr) limits = new Limits;
    known = limits;
  }
  return known->requests;
}

}  // namespace

int main() {
  int one = 0;
  int two = 0;
  std::thread first([&] { one = Requests(); });
  std::thread second([&] { two = Requests(); });
  first.join();
  second.join();
  return one == two ? 0 : 1;
}
