// signalfd: threads read signals from a descriptor, alone, through epoll and
// without waiting; those that threads send, timers cause and children leave.
//
// EXPECT: ended(0)
// EVENTS: park unpark
// REPEATS: replayed
// PLAIN:  0

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "verify.h"

static void* send_two(void* argument) {
  VERIFY(kill(getpid(), SIGUSR1) == 0);
  VERIFY(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 42}) == 0);
  return argument;
}

static struct signalfd_siginfo take(int fd) {
  struct signalfd_siginfo info = {0};
  VERIFY(read(fd, &info, sizeof(info)) == sizeof(info));
  return info;
}

int main(void) {
  sigset_t set, alarm_only;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGRTMIN);
  sigaddset(&set, SIGCHLD);
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  pthread_sigmask(SIG_BLOCK, &alarm_only, 0);
  const int fd = signalfd(-1, &set, SFD_CLOEXEC);
  const int quick = signalfd(-1, &set, SFD_NONBLOCK);
  struct signalfd_siginfo info;
  VERIFY(read(quick, &info, sizeof(info)) == -1 && errno == EAGAIN);
  VERIFY(read(fd, &info, 10) == -1 && errno == EINVAL);
  // From another thread, both through one descriptor.
  pthread_t thread;
  pthread_create(&thread, 0, send_two, 0);
  info = take(fd);
  VERIFY(info.ssi_signo == SIGUSR1 && info.ssi_pid == getpid());
  info = take(fd);
  VERIFY(info.ssi_signo == SIGRTMIN && info.ssi_int == 42);
  pthread_join(thread, 0);
  // By a timer, through epoll; the set is changed.
  const int epoll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = quick};
  VERIFY(signalfd(quick, &alarm_only, 0) == quick);
  VERIFY(epoll_ctl(epoll, EPOLL_CTL_ADD, quick, &event) == 0);
  alarm(2);
  event.data.fd = -1;
  VERIFY(epoll_wait(epoll, &event, 1, -1) == 1 && event.data.fd == quick);
  VERIFY(take(quick).ssi_signo == SIGALRM);
  VERIFY(epoll_wait(epoll, &event, 1, 0) == 0);
  // Of a child, from outside.
  const pid_t child = fork();
  if (child == 0) _exit(5);
  info = take(fd);
  VERIFY(info.ssi_signo == SIGCHLD && info.ssi_pid == child);
  VERIFY(waitpid(child, 0, 0) == child);
  VERIFY(close(fd) == 0 && close(quick) == 0);
  return 0;
}
