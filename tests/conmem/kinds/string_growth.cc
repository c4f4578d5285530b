// EXPECT: dangling
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
static std::string text(40, 'x');

int main() {
  std::thread reader([] {
    lock.lock();
    const char* chars = text.c_str();
#ifndef FIXED
    lock.unlock();
#endif
    volatile char first = chars[0];
    (void)first;
#ifdef FIXED
    lock.unlock();
#endif
  });
  std::thread writer([] {
    const std::lock_guard guard(lock);
    for (int i = 0; i < 100; ++i) text.push_back('y');
  });
  reader.join();
  writer.join();
}
