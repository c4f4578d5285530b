// Waits for descriptors with a time limit take no real time when only threads
// of the program could end them: nobody writes, so an hour passes at once.
//
// EXPECT: ended(0)
// EVENTS: unpark timed-out
// MILLISECONDS: 5000

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "verify.h"

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void an_hour_passed(double since) {
  const double passed = now() - since;
  VERIFY(passed >= 3600 && passed < 3601);
}

int main(void) {
  int fds[2], pair[2];
  VERIFY(pipe(fds) == 0);
  struct pollfd one = {.fd = fds[0], .events = POLLIN};
  double begin = now();
  VERIFY(poll(&one, 1, 3600 * 1000) == 0 && one.revents == 0);
  an_hour_passed(begin);

  begin = now();
  struct timespec hour = {.tv_sec = 3600};
  VERIFY(ppoll(NULL, 0, &hour, NULL) == 0);
  an_hour_passed(begin);

  begin = now();
  fd_set set;
  FD_ZERO(&set);
  FD_SET(fds[0], &set);
  struct timeval time = {.tv_sec = 3600};
  VERIFY(select(fds[0] + 1, &set, NULL, NULL, &time) == 0);
  VERIFY(!FD_ISSET(fds[0], &set));
  an_hour_passed(begin);

  const int epoll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = 7};
  VERIFY(epoll_ctl(epoll, EPOLL_CTL_ADD, fds[0], &event) == 0);
  begin = now();
  VERIFY(epoll_wait(epoll, &event, 1, 3600 * 1000) == 0);
  an_hour_passed(begin);

  VERIFY(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  time.tv_sec = 3600;
  time.tv_usec = 0;
  VERIFY(setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof(time)) ==
         0);
  begin = now();
  char byte;
  VERIFY(recv(pair[0], &byte, 1, 0) == -1 && errno == EAGAIN);
  an_hour_passed(begin);

  // What is there is found, whatever the time.
  VERIFY(write(fds[1], "x", 1) == 1);
  VERIFY(poll(&one, 1, 0) == 1 && one.revents == POLLIN);
  VERIFY(epoll_wait(epoll, &event, 1, -1) == 1 && event.data.u32 == 7);
  FD_SET(fds[0], &set);
  VERIFY(select(fds[0] + 1, &set, NULL, NULL, NULL) == 1);
  VERIFY(poll(NULL, 0, 0) == 0);
  VERIFY(poll(&one, 1, -5) == 1);
  struct timespec bad = {.tv_nsec = -1};
  VERIFY(ppoll(NULL, 0, &bad, NULL) == -1 && errno == EINVAL);
  return 0;
}
