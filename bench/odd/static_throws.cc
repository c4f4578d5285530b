// Eight threads race for a local static whose constructor throws three times.
// FLAGS: -std=c++20 -O2

#include <atomic>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static std::atomic<int> attempts, caught, seen;
static int inner_calls;

static int inner() {
  static const int value = [] { return ++inner_calls * 7; }();
  return value;
}

struct Stubborn {
  Stubborn() {
    if (++attempts <= 3) throw std::runtime_error("not yet");
    value = inner();
  }
  int value = 0;
};

static const Stubborn& one() {
  static const Stubborn only;
  return only;
}

int main() {
  static std::once_flag once;
  std::atomic<int> tried{0}, threw{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (;;) {
        try {
          seen += one().value;
          break;
        } catch (const std::runtime_error&) {
          ++caught;
        }
      }
      try {
        std::call_once(once, [&] {
          if (++tried < 3) throw 7;
        });
      } catch (int) {
        ++threw;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  std::printf("attempts %d, caught %d, seen %d; once: tried %d, threw %d\n",
              attempts.load(), caught.load(), seen.load(), tried.load(),
              threw.load());
}
