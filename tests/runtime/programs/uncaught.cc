// An exception leaves a thread: terminate, abort.
//
// EXPECT: signaled(6)
// TEXT:   nobody catches the exception of type St13runtime_error: oh
// SEEDS:  4

#include <stdexcept>
#include <thread>

int main() {
  std::thread thread([] { throw std::runtime_error("oh"); });
  thread.join();
  return 0;
}
