// A pool's threads look at `stopping_` outside the lock and then wait. Fix: the
// flag is set under the lock in Stop.
//
// FUNCTIONS: Pool::Stop Pool::Work

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

class Pool {
 public:
  Pool() : worker_([this] { Work(); }) {}

  void Stop() {
    stopping_ = true;    // SHOWS
    wake_.notify_one();  // SHOWS
    worker_.join();
  }

 private:
  void Work() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!stopping_) {  // SHOWS
      wake_.wait(lock);   // SHOWS
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<bool> stopping_ = false;
  std::thread worker_;
};

int main() {
  Pool pool;
  pool.Stop();
  return 0;
}
