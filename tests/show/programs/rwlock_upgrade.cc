// A reader that finds nothing gives up its shared lock and takes the exclusive
// one, but does not look again. Fix: Id looks again.
//
// FUNCTIONS: Registry::Id

#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unordered_map>

class Registry {
 public:
  int Id(const std::string& name) {
    {
      const std::shared_lock lock(mutex_);
      const auto found = ids_.find(name);  // LACKS
      if (found != ids_.end()) return found->second;
    }
    const std::unique_lock lock(mutex_);
    const int id = next_++;
    ids_[name] = id;  // LACKS: twelve rows are full
    return id;
  }

 private:
  std::shared_mutex mutex_;
  std::unordered_map<std::string, int> ids_;
  int next_ = 1;
};

int main() {
  Registry registry;
  int one_id = 0, other_id = 0;
  std::thread one([&] { one_id = registry.Id("keel"); });
  std::thread other([&] { other_id = registry.Id("keel"); });
  one.join();
  other.join();
  return one_id == other_id ? 0 : 1;
}
