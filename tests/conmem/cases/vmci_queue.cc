// EXPECT: dangling
// A subscriber is removed while an event is dispatched to a copy of the list.
#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Subscriber {
 public:
  explicit Subscriber(std::string name) : name_(std::move(name)) {}
  virtual ~Subscriber() = default;
  virtual void OnEvent(int value) {
    last_ = value + static_cast<int>(name_.size());
  }

 private:
  std::string name_;
  int last_ = 0;
};

class Bus {
 public:
#ifdef FIXED
  using Pointer = std::shared_ptr<Subscriber>;
#else
  using Pointer = Subscriber*;
#endif
  void Add(Pointer subscriber) {
    std::lock_guard<std::mutex> lock(mutex_);
    subscribers_.push_back(std::move(subscriber));
  }
  void Publish(int value) {
    std::vector<Pointer> copy;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      copy = subscribers_;
    }
    for (auto& each : copy) each->OnEvent(value);
  }
  void RemoveLast() {
    Pointer gone;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      gone = std::move(subscribers_.back());
      subscribers_.pop_back();
    }
#ifndef FIXED
    delete gone;
#endif
  }
  ~Bus() {
#ifndef FIXED
    for (auto* each : subscribers_) delete each;
#endif
  }

 private:
  std::mutex mutex_;
  std::vector<Pointer> subscribers_;
};

int main() {
  Bus bus;
  for (int i = 0; i < 3; ++i)
    bus.Add(
        Bus::Pointer(new Subscriber("subscriber number " + std::to_string(i))));
  std::thread publisher([&] { bus.Publish(4); });
  std::thread remover([&] { bus.RemoveLast(); });
  publisher.join();
  remover.join();
  return 0;
}
