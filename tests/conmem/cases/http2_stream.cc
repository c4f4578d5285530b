// EXPECT: uninit
// A stream is in the session's map before its handler is set.
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

struct Handler {
  virtual ~Handler() = default;
  virtual int Data(int n) { return n * 2; }
};
struct Stream {
  int id;
  Handler* handler;
  int received;
};
class Session {
 public:
  Stream* Open(int id, Handler* handler) {
    auto* stream = static_cast<Stream*>(::operator new(sizeof(Stream)));
    stream->id = id;
#ifdef FIXED
    stream->received = 0;
    stream->handler = handler;
#endif
    {
      std::lock_guard<std::mutex> lock(mutex_);
      streams_[id] = stream;
    }
#ifndef FIXED
    stream->received = 0;
    stream->handler = handler;
#endif
    return stream;
  }
  bool OnData(int id, int n) {
    Stream* stream = nullptr;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      auto found = streams_.find(id);
      if (found == streams_.end()) return false;
      stream = found->second;
    }
    stream->received += stream->handler->Data(n);
    return true;
  }
  ~Session() {
    for (auto& [id, stream] : streams_) ::operator delete(stream);
  }

 private:
  std::mutex mutex_;
  std::map<int, Stream*> streams_;
};
int main() {
  Session session;
  Handler handler;
  std::thread opener([&] { session.Open(3, &handler); });
  std::thread network([&] {
    for (int i = 0; i < 20 && !session.OnData(3, 5); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  opener.join();
  network.join();
  return 0;
}
