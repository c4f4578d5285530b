// PREDICTED, not found: what the reader sees out of step it writes nowhere.
// Host and port of a server, read by two getters: the reader may see the host
// of one and the port of another. Nothing fails.
#include <mutex>
#include <string>
#include <thread>

class Endpoint {
 public:
  void Set(int host, int port) {
    std::unique_lock<std::mutex> hold(mutex_);
    host_ = host;
    port_ = port;
  }
  int host() {
    std::unique_lock<std::mutex> hold(mutex_);
    return host_;
  }
  int port() {
    std::unique_lock<std::mutex> hold(mutex_);
    return port_;
  }
  long Address() {
#ifdef FIXED
    std::unique_lock<std::mutex> hold(mutex_);
    return host_ * 65536L + port_;
#else
    const long upper = host() * 65536L;
    return upper + port();
#endif
  }

 private:
  std::mutex mutex_;
  int host_ = 10;
  int port_ = 80;
};

Endpoint server;

void Reconfigure() { server.Set(20, 443); }

int main() {
  long address = 0;
  std::thread reader([&address] { address = server.Address(); });
  std::thread writer(Reconfigure);
  reader.join();
  writer.join();
  return address == 0;
}
