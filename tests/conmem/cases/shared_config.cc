// EXPECT: dangling
// A configuration behind a shared_ptr: reload resets the same shared_ptr that
// requests copy.
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct Config {
  std::string root;
  int limit;
  std::vector<std::string> hosts;
};

class Server {
 public:
  Server()
      : config_(std::make_shared<Config>(Config{"/srv", 10, {"a", "b"}})) {}
  size_t Handle(const std::string& path) {
#ifdef FIXED
    std::unique_lock<std::mutex> lock(mutex_);
    std::shared_ptr<Config> config = config_;
    lock.unlock();
#else
    const Config* config = config_.get();
#endif
    size_t sum = path.size() + config->root.size();
    for (const auto& host : config->hosts) sum += host.size();
    return sum * static_cast<size_t>(config->limit);
  }
  void Reload(int limit) {
    auto made = std::make_shared<Config>(Config{"/var/www", limit, {"c"}});
    std::lock_guard<std::mutex> lock(mutex_);
    config_ = std::move(made);
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<Config> config_;
};

int main() {
  Server server;
  size_t answer = 0;
  std::thread request([&] { answer = server.Handle("/index.html"); });
  std::thread reload([&] { server.Reload(20); });
  request.join();
  reload.join();
  return answer == 0;
}
