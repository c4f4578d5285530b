// EXPECT: dangling
// A request object deletes itself when it is done; the one who cancels still
// has it in hand.
#include <cstdio>
#include <list>
#include <mutex>
#include <string>
#include <thread>

class Request;
class Server {
 public:
  void Add(Request* r);
  void Remove(Request* r);
  void CancelAll();
  std::mutex mutex_;
  std::list<Request*> open_;
};

class Request {
 public:
  Request(Server* server, std::string url)
      : server_(server), url_(std::move(url)) {
    server_->Add(this);
  }
  virtual ~Request() = default;
  virtual void Cancel() {
    std::lock_guard<std::mutex> lock(mutex_);
    canceled_ = true;
  }
  void Finish() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      bytes_ += url_.size();
    }
    server_->Remove(this);
    delete this;
  }

 private:
  Server* server_;
  std::string url_;
  std::mutex mutex_;
  bool canceled_ = false;
  size_t bytes_ = 0;
};

void Server::Add(Request* r) {
  std::lock_guard<std::mutex> lock(mutex_);
  open_.push_back(r);
}
void Server::Remove(Request* r) {
  std::lock_guard<std::mutex> lock(mutex_);
  open_.remove(r);
}
void Server::CancelAll() {
#ifdef FIXED
  std::lock_guard<std::mutex> lock(mutex_);
  for (Request* r : open_) r->Cancel();
#else
  std::list<Request*> open;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    open = open_;
  }
  for (Request* r : open) r->Cancel();
#endif
}

int main() {
  Server server;
  auto* one = new Request(&server, "/a");
  auto* two = new Request(&server, "/b/long/enough/to/be/on/the/heap");
  std::thread cancel([&] { server.CancelAll(); });
  std::thread finish([&] {
    one->Finish();
    two->Finish();
  });
  cancel.join();
  finish.join();
  std::puts("done");
  return 0;
}
