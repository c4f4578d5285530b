// A configuration is replaced while others copy the pointer to it. Fix: a lock
// in Reload and in Current.
//
// FUNCTIONS: Server::Reload Server::Current

#include <memory>
#include <string>
#include <thread>

struct Settings {
  std::string host = "a rather long name of a host";
  int port = 80;
};

class Server {
 public:
  void Reload() {
    auto fresh = std::make_shared<Settings>();
    fresh->port = 443;
    settings_ = fresh;  // SHOWS
  }

  int Port() { return Current()->port; }

 private:
  std::shared_ptr<Settings> Current() { return settings_; }  // SHOWS

  std::shared_ptr<Settings> settings_ = std::make_shared<Settings>();
};

int main() {
  Server server;
  std::thread reloader([&] { server.Reload(); });
  const int port = server.Port();
  reloader.join();
  return port == 80 || port == 443 ? 0 : 1;
}
