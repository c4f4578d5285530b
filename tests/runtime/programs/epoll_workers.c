// Three threads wait at one epoll descriptor; every piece of work that the main
// thread announces through an eventfd is taken by one of them.
//
// EXPECT: ended(0)
// EVENTS: park unpark use
// PLAIN: 0

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "verify.h"

enum { kWorkers = 3, kPieces = 5 };
static int epoll, work, stop;
static int done;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* run(void* argument) {
  for (;;) {
    struct epoll_event event;
    const int got = epoll_wait(epoll, &event, 1, -1);
    VERIFY(got == 1);
    if (event.data.fd == stop) return argument;
    uint64_t one;
    const ssize_t bytes = read(work, &one, sizeof(one));
    if (bytes == -1 && errno == EAGAIN) continue;  // another one was faster
    VERIFY(bytes == 8 && one == 1);
    pthread_mutex_lock(&mutex);
    ++done;
    pthread_mutex_unlock(&mutex);
  }
}

int main(void) {
  epoll = epoll_create1(EPOLL_CLOEXEC);
  work = eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK);
  stop = eventfd(0, 0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = work};
  VERIFY(epoll_ctl(epoll, EPOLL_CTL_ADD, work, &event) == 0);
  pthread_t threads[kWorkers];
  for (int i = 0; i < kWorkers; ++i) {
    pthread_create(&threads[i], NULL, run, NULL);
  }
  for (int i = 0; i < kPieces; ++i) {
    const uint64_t one = 1;
    VERIFY(write(work, &one, sizeof(one)) == 8);
  }
  for (;;) {
    pthread_mutex_lock(&mutex);
    const int all = done == kPieces;
    pthread_mutex_unlock(&mutex);
    if (all) break;
    usleep(1000);
  }
  event.data.fd = stop;
  VERIFY(epoll_ctl(epoll, EPOLL_CTL_ADD, stop, &event) == 0);
  const uint64_t one = 1;
  VERIFY(write(stop, &one, sizeof(one)) == 8);
  for (int i = 0; i < kWorkers; ++i) pthread_join(threads[i], NULL);
  return 0;
}
