// A detached thread works on an object that main gives up behind a sleep, and
// nothing comes behind that but the end of main: until the process has ended,
// the thread goes on.
//
// FINDS: use-after-free
// OPTIONS: --executions 300

#include <unistd.h>

#include <memory>
#include <mutex>
#include <thread>

struct Session {
  int bytes = 0;
  int flushes = 0;

  void Flush() {
    bytes += 10;
    ++flushes;
  }
};

int main() {
#ifdef FIXED
  auto session = std::make_shared<Session>();
  std::thread([session] { session->Flush(); }).detach();
#else
  auto session = std::make_unique<Session>();
  std::thread([flushed = session.get()] { flushed->Flush(); }).detach();
#endif
  usleep(50'000);
  session.reset();
}
