// A signalfd, a timerfd and an eventfd in one epoll, fed by two threads.
// FLAGS: -O2

#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

#include "want.h"

static int events, signals;

static void* adds(void* unused) {
  for (uint64_t i = 1; i <= 5; i++) want(write(events, &i, 8) == 8);
  return unused;
}

static void* raises(void* unused) {
  for (int i = 0; i < 3; i++) {
    const union sigval value = {.sival_int = i};
    want(sigqueue(getpid(), SIGRTMIN + 1, value) == 0);
  }
  return unused;
}

int main(void) {
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGRTMIN + 1);
  want(pthread_sigmask(SIG_BLOCK, &mask, NULL) == 0);
  signals = signalfd(-1, &mask, SFD_CLOEXEC);
  events = eventfd(0, EFD_NONBLOCK);
  const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  const struct itimerspec soon = {{0, 0}, {0, 3000000}};
  want(timerfd_settime(timer, 0, &soon, NULL) == 0);
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  const int fds[3] = {signals, events, timer};
  for (int i = 0; i < 3; i++) {
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)i};
    want(epoll_ctl(epoll, EPOLL_CTL_ADD, fds[i], &event) == 0);
  }
  const pthread_t one = start(adds, NULL), two = start(raises, NULL);
  uint64_t sum = 0, ticks = 0, got;
  int values = 0;
  for (int came = 0; sum < 15 || ticks < 1 || came < 3;) {
    struct epoll_event event;
    want(epoll_wait(epoll, &event, 1, -1) == 1);
    struct signalfd_siginfo info;
    if (event.data.u32 == 0) {
      want(read(signals, &info, sizeof(info)) == sizeof(info));
      values = values * 10 + info.ssi_int;
      came++;
    } else {
      want(read(fds[event.data.u32], &got, 8) == 8);
      *(event.data.u32 == 1 ? &sum : &ticks) += got;
    }
  }
  finish(one);
  finish(two);
  printf("sum %d, ticks %d, values %03d\n", (int)sum, (int)ticks, values);
  return 0;
}
