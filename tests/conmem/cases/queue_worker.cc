// EXPECT: dangling
// The owner of a task leaves its scope: the task on its stack is gone while a
// worker runs it.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

struct Task {
  virtual ~Task() = default;
  virtual void Run() = 0;
};
struct Add final : Task {
  explicit Add(int* t) : total(t) {}
  void Run() override { *total += amount; }
  int* total;
  int amount = 3;
};

class Worker {
 public:
  Worker() : thread_([this] { Loop(); }) {}
  ~Worker() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      stop_ = true;
    }
    more_.notify_all();
    thread_.join();
  }
  void Post(Task* task) {
    std::lock_guard<std::mutex> lock(mutex_);
    tasks_.push(task);
    more_.notify_one();
  }
  void Drain() {
    std::unique_lock<std::mutex> lock(mutex_);
    idle_.wait(lock, [this] { return tasks_.empty() && !busy_; });
  }

 private:
  void Loop() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      more_.wait(lock, [this] { return stop_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      Task* task = tasks_.front();
      tasks_.pop();
      busy_ = true;
      lock.unlock();
      task->Run();
      lock.lock();
      busy_ = false;
      idle_.notify_all();
    }
  }
  std::mutex mutex_;
  std::condition_variable more_, idle_;
  std::queue<Task*> tasks_;
  bool stop_ = false;
  bool busy_ = false;
  std::thread thread_;
};

int main() {
  int total = 0;
  Worker worker;
  Task* task = new Add(&total);
  worker.Post(task);
#ifdef FIXED
  worker.Drain();
#else
  std::this_thread::yield();
#endif
  delete task;
  return 0;
}
