// A mean of samples, with atomic members: each is right, both together not.
#include <atomic>
#include <mutex>
#include <thread>

template <typename T>
class Mean {
 public:
  void Add(T sample) {
#ifdef FIXED
    std::lock_guard<std::mutex> hold(lock_);
#endif
    sum_ += sample;
    count_ += 1;
  }
  void Reset() {
#ifdef FIXED
    std::lock_guard<std::mutex> hold(lock_);
#endif
    sum_ = 0;
    count_ = 0;
  }

 private:
  std::mutex lock_;
  std::atomic<T> sum_{0};
  std::atomic<long> count_{0};
};

int main() {
  Mean<long> mean;
  std::thread adds([&] {
    for (int i = 0; i < 4; ++i) mean.Add(5);
  });
  std::thread resets([&] { mean.Reset(); });
  adds.join();
  resets.join();
  return 0;
}
