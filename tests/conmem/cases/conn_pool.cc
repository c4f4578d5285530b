// EXPECT: dangling
// A reaper deletes connections that look idle; a worker that has just looked
// one up marks it busy only later.
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

class Connection {
 public:
  explicit Connection(std::string peer) : peer_(std::move(peer)) {}
  void Send(const std::string& text) { sent_ += text.size() + peer_.size(); }
  size_t sent() const { return sent_; }
  bool busy = false;

 private:
  std::string peer_;
  size_t sent_ = 0;
};

class Pool {
 public:
  void Open(int id, const std::string& peer) {
    std::lock_guard<std::mutex> lock(mutex_);
    connections_[id] = new Connection(peer);
  }
  Connection* Acquire(int id) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto found = connections_.find(id);
    if (found == connections_.end()) return nullptr;
#ifdef FIXED
    found->second->busy = true;
#endif
    return found->second;
  }
  void Release(Connection* connection) {
    std::lock_guard<std::mutex> lock(mutex_);
    connection->busy = false;
  }
  void Reap() {
    std::lock_guard<std::mutex> lock(mutex_);
    for (auto at = connections_.begin(); at != connections_.end();) {
      if (at->second->busy) {
        ++at;
        continue;
      }
      delete at->second;
      at = connections_.erase(at);
    }
  }
  ~Pool() {
    for (auto& [id, connection] : connections_) delete connection;
  }

 private:
  std::mutex mutex_;
  std::map<int, Connection*> connections_;
};

int main() {
  Pool pool;
  pool.Open(1, "alpha.example");
  pool.Open(2, "beta.example");
  std::thread worker([&] {
    Connection* connection = pool.Acquire(1);
    if (connection == nullptr) return;
    connection->Send("GET / HTTP/1.1");
    pool.Release(connection);
  });
  std::thread reaper([&] { pool.Reap(); });
  worker.join();
  reaper.join();
  return 0;
}
