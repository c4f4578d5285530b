// The writer of a sequence lock makes the number odd only after the first half
// is written. Fix: the first line of Set comes first.
//
// FUNCTIONS: Clock::Set Clock::Get

#include <stdlib.h>

#include <atomic>
#include <thread>

class Clock {
 public:
  void Set(int seconds, int nanos) {
    seconds_.store(seconds);  // SHOWS
    sequence_.fetch_add(1);   // SHOWS
    nanos_.store(nanos);      // LACKS: the small schedule ends before it
    sequence_.fetch_add(1);
  }

  void Get(int* seconds, int* nanos) {
    for (;;) {
      const int before = sequence_.load();
      *seconds = seconds_.load();  // SHOWS
      *nanos = nanos_.load();      // LACKS
      if (before % 2 == 0 && sequence_.load() == before) return;
    }
  }

 private:
  std::atomic<int> sequence_ = 0;
  std::atomic<int> seconds_ = 0;
  std::atomic<int> nanos_ = 0;
};

static Clock clock_now;

int main() {
  std::thread writer([] { clock_now.Set(5, 5); });
  int seconds = 0, nanos = 0;
  clock_now.Get(&seconds, &nanos);
  if (seconds != nanos) abort();
  writer.join();
  return 0;
}
