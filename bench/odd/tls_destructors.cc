// Thread-local objects whose destructors make further thread-local objects.
// FLAGS: -std=c++20 -O2

#include <atomic>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> made, gone;

struct Late {
  Late() { ++made; }
  ~Late() { ++gone; }
  int value = 40;
};

static Late& late() {
  thread_local Late here;
  return here;
}

struct Early {
  Early() : text(100, 'x') { ++made; }
  ~Early() {
    // The first use of `late` in this thread is here, while it ends.
    text.resize(static_cast<size_t>(late().value));
    ++gone;
  }
  std::string text;
};

static size_t use() {
  thread_local Early here;
  thread_local std::vector<Early> more(2);
  return here.text.size() + more.size();
}

int main() {
  std::atomic<size_t> sum{0};
  for (int round = 0; round < 3; ++round) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) threads.emplace_back([&sum] { sum += use(); });
    for (auto& thread : threads) thread.join();
  }
  std::printf("sum %zu, made %d, gone %d\n", sum.load(), made.load(),
              gone.load());
}
