// An event loop that other threads hand work to. They ring its eventfd only if
// nobody has since the loop last looked; the loop says that it has looked after
// it took the work. What is handed over in between lies there for good. FIXED:
// it says so before it takes it.

#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int handed_over;  // guarded by mutex
static std::atomic<bool> rung = false;
static int bell;

static void HandOver() {
  mutex.lock();
  ++handed_over;
  mutex.unlock();
  if (rung.exchange(true)) return;
  const uint64_t one = 1;
  if (write(bell, &one, sizeof one) != sizeof one) _exit(3);
}

static int Take() {
  const std::lock_guard lock(mutex);
  const int taken = handed_over;
  handed_over = 0;
  return taken;
}

static int Look() {
#ifdef FIXED
  rung = false;
  return Take();
#else
  const int taken = Take();
  rung = false;
  return taken;
#endif
}

int main() {
  bell = eventfd(0, EFD_NONBLOCK);
  const int events = epoll_create1(0);
  epoll_event event = {.events = EPOLLIN, .data = {.fd = bell}};
  epoll_ctl(events, EPOLL_CTL_ADD, bell, &event);
  std::thread other([] {
    HandOver();
    HandOver();
  });
  for (int done = 0; done < 2;) {
    if (epoll_wait(events, &event, 1, -1) != 1) continue;
    uint64_t number = 0;
    if (read(bell, &number, sizeof number) == sizeof number) done += Look();
  }
  other.join();
  return 0;
}
