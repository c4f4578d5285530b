// A destructor that stops its thread before anything else: it begins by storing
// the virtual table that the object has already, which the thread may read.
// RACES: none

#include <atomic>
#include <thread>

class Worker {
 public:
  virtual ~Worker() = default;
  virtual void Step() = 0;

 protected:
  void Run() {
    while (!stop_.load()) Step();
  }
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

class Counter : public Worker {
 public:
  Counter() {
    thread_ = std::thread([this] { Run(); });
  }
  ~Counter() override {
    stop_ = true;
    thread_.join();
  }
  void Step() override {
    ++steps_;
    std::this_thread::yield();
  }

 private:
  int steps_ = 0;
};

int main() {
  Counter counter;
  std::this_thread::yield();
}
