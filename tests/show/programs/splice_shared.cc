// Jobs are moved from one list to another under a lock that is only shared.
// Fix: std::unique_lock in Collect.
//
// FUNCTIONS: Inbox::Collect

#include <list>
#include <mutex>
#include <shared_mutex>
#include <thread>

class Inbox {
 public:
  void Put(int job) {
    const std::unique_lock<std::shared_mutex> lock(mutex_);
    jobs_.push_back(job);
  }

  std::list<int> Collect() {
    std::list<int> taken;
    const std::shared_lock<std::shared_mutex> lock(mutex_);
    taken.splice(taken.end(), jobs_);  // SHOWS
    return taken;
  }

 private:
  std::shared_mutex mutex_;
  std::list<int> jobs_;
};

int main() {
  Inbox inbox;
  for (int i = 0; i < 3; ++i) inbox.Put(i);
  size_t one_got = 0, other_got = 0;
  std::thread one([&] { one_got = inbox.Collect().size(); });
  std::thread other([&] { other_got = inbox.Collect().size(); });
  one.join();
  other.join();
  return one_got + other_got == 3 ? 0 : 1;
}
