// Cancellation and pthread_exit unwind C++ frames: destructors run, catch (...)
// sees abi::__forced_unwind and throws it on; thread_local objects die last.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <cxxabi.h>
#include <pthread.h>

#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <string>

namespace {

std::mutex mutex;
std::condition_variable cond;
std::string order;
bool waiting = false;

struct Note {
  explicit Note(char letter) : letter(letter) {}
  ~Note() {
    std::lock_guard lock(mutex);  // a point in the middle of unwinding
    order += letter;
  }
  char letter;
};

thread_local Note last('z');

void Inner() {
  Note a('a');
  try {
    Note b('b');
    std::unique_lock lock(mutex);
    waiting = true;
    cond.notify_all();
    for (;;) cond.wait(lock);
  } catch (abi::__forced_unwind&) {
    order += 'f';
    throw;
  }
}

void* Waits(void*) {
  (void)&last;
  last.letter = 'z';
  try {
    Inner();
  } catch (...) {
    order += 'g';
    throw;
  }
  return nullptr;
}

void* Exits(void*) {
  Note e('e');
  try {
    throw std::runtime_error("caught below");
  } catch (const std::exception&) {
    pthread_exit(reinterpret_cast<void*>(3));
  }
  return nullptr;
}

}  // namespace

int main() {
  pthread_t thread;
  void* result;
  pthread_create(&thread, nullptr, Waits, nullptr);
  {
    std::unique_lock lock(mutex);
    cond.wait(lock, [] { return waiting; });
  }
  pthread_cancel(thread);
  pthread_join(thread, &result);
  if (result != PTHREAD_CANCELED) return 1;
  if (order != "bfagz") return 2;
  pthread_create(&thread, nullptr, Exits, nullptr);
  pthread_join(thread, &result);
  if (result != reinterpret_cast<void*>(3)) return 3;
  return order == "bfagze" ? 0 : 4;
}
