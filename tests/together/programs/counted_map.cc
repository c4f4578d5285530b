// A map with a count beside it: one is changed under the lock, then the other.
#include <map>
#include <mutex>
#include <string>
#include <thread>

class Registry {
 public:
  void Put(const std::string& key, int value) {
    bool fresh = false;
    {
      std::lock_guard hold(lock_);
      fresh = items_.emplace(key, value).second;
#ifdef FIXED
      if (fresh) ++count_;
#endif
    }
#ifndef FIXED
    if (fresh) Count(1);
#endif
  }
  void Clear() {
    std::lock_guard hold(lock_);
    items_.clear();
    count_ = 0;
  }
  bool Agrees() {
    std::lock_guard hold(lock_);
    return items_.size() == static_cast<size_t>(count_);
  }

 private:
  void Count(int by) {
    std::lock_guard hold(lock_);
    count_ += by;
  }

  std::mutex lock_;
  std::map<std::string, int> items_;
  int count_ = 0;
};

int main() {
  auto* registry = new Registry;
  std::thread puts([registry] {
    registry->Put("a", 1);
    registry->Put("b", 2);
  });
  std::thread clears([registry] { registry->Clear(); });
  puts.join();
  clears.join();
  const bool agrees = registry->Agrees();
  delete registry;
  return agrees ? 0 : 1;
}
