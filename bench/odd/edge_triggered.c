// Edge-triggered, one-shot epoll: workers drain what a writer sends in bursts.
// FLAGS: -O2

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/epoll.h>

#include "want.h"

enum { kWorkers = 3, kPipes = 2, kBytes = 300 };

static int epoll, pipes[kPipes][2];
static atomic_int drained, sum;

static void arm(int pipe, int how) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLET | EPOLLONESHOT,
                              .data.u32 = (uint32_t)pipe};
  want(epoll_ctl(epoll, how, pipes[pipe][0], &event) == 0);
}

static void* worker(void* unused) {
  while (atomic_load(&drained) < kPipes) {
    struct epoll_event event;
    const int came = epoll_wait(epoll, &event, 1, 1);
    if (came == 0) continue;
    want(came == 1);
    const int pipe = (int)event.data.u32;
    char part[7];
    ssize_t got;
    while ((got = read(pipes[pipe][0], part, sizeof(part))) > 0)
      for (ssize_t i = 0; i < got; i++) atomic_fetch_add(&sum, part[i]);
    if (got == 0) {
      atomic_fetch_add(&drained, 1);
    } else {
      want(errno == EAGAIN);
      arm(pipe, EPOLL_CTL_MOD);
    }
  }
  return unused;
}

static void* writer(void* number) {
  const int fd = pipes[(long)number][1];
  const char bytes[] = {1, 2, 3, 4, 5, 6};
  for (int i = 0; i < kBytes / 6; i++) want(write(fd, bytes, 6) == 6);
  close(fd);
  return NULL;
}

int main(void) {
  pthread_t threads[kWorkers + kPipes];
  want((epoll = epoll_create1(0)) >= 0);
  for (int i = 0; i < kPipes; i++) {
    want(pipe2(pipes[i], O_NONBLOCK) == 0);
    arm(i, EPOLL_CTL_ADD);
    threads[i] = start(writer, (void*)(long)i);
  }
  for (int i = 0; i < kWorkers; i++) threads[kPipes + i] = start(worker, NULL);
  for (int i = 0; i < kWorkers + kPipes; i++) finish(threads[i]);
  printf("drained %d, sum %d\n", atomic_load(&drained), atomic_load(&sum));
  return 0;
}
