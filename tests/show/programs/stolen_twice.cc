// The owner of a deque and a thief both take its last job. Fix: Steal takes by
// compare-and-exchange.
//
// FUNCTIONS: Deque::Take Deque::Steal

#include <atomic>
#include <thread>

class Deque {
 public:
  void Push(int job) {
    const int bottom = bottom_.load();
    jobs_[bottom % kJobs].store(job);
    bottom_.store(bottom + 1);
  }

  int Take() {
    const int bottom = bottom_.load() - 1;
    bottom_.store(bottom);                // LACKS: the small schedule's story
    if (top_.load() > bottom) return -1;  // SHOWS
    return jobs_[bottom % kJobs].load();
  }

  int Steal() {
    const int top = top_.load();
    if (top >= bottom_.load()) return -1;  // LACKS: likewise
    const int job = jobs_[top % kJobs].load();
    top_.store(top + 1);  // SHOWS
    return job;
  }

 private:
  static constexpr int kJobs = 8;
  std::atomic<int> top_ = 0;
  std::atomic<int> bottom_ = 0;
  std::atomic<int> jobs_[kJobs] = {};
};

static Deque deque;
static std::atomic<int> runs[4];

static void Run(int job) {
  if (job >= 0) runs[job].fetch_add(1);
}

int main() {
  for (int i = 0; i < 2; ++i) deque.Push(i);
  std::thread thief([] {
    Run(deque.Steal());
    Run(deque.Steal());
  });
  Run(deque.Take());
  Run(deque.Take());
  thief.join();
  for (const std::atomic<int>& each : runs) {
    if (each.load() > 1) return 1;
  }
  return 0;
}
