// EXPECT: dangling
// Observers are notified over a vector that another thread appends to.
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

struct Observer {
  int id;
  int seen = 0;
  explicit Observer(int i) : id(i) {}
};

class Subject {
 public:
  void Add(Observer* observer) {
    std::lock_guard<std::mutex> lock(mutex_);
    observers_.push_back(observer);
  }
  void Notify() {
#ifdef FIXED
    std::lock_guard<std::mutex> lock(mutex_);
#endif
    for (Observer* observer : observers_) observer->seen += observer->id;
  }

 private:
  std::mutex mutex_;
  std::vector<Observer*> observers_;
};

int main() {
  Subject subject;
  Observer a(1), b(2), c(3), d(4), e(5);
  subject.Add(&a);
  subject.Add(&b);
  subject.Add(&c);
  std::thread notifier([&] { subject.Notify(); });
  std::thread adder([&] {
    subject.Add(&d);
    subject.Add(&e);
  });
  notifier.join();
  adder.join();
  return 0;
}
