// Timers go off by the clock of the execution, in order, and take no real time:
// timerfd with epoll, alarm, setitimer, timer_create; the vDSO agrees.
//
// EXPECT: ended(0)
// EVENTS: timer
// MILLISECONDS: 5000

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "verify.h"

static volatile sig_atomic_t alarms;

static void count(int signal) { ++alarms; }

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void* tick(void* argument) {
  const int hourly = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  const int once = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK);
  struct itimerspec setting = {{3600}, {3600}};
  VERIFY(timerfd_settime(hourly, 0, &setting, NULL) == 0);
  struct itimerspec later = {{0}, in_ms(CLOCK_REALTIME, 5400 * 1000)};
  VERIFY(timerfd_settime(once, TFD_TIMER_ABSTIME, &later, NULL) == 0);
  uint64_t times = 0;
  VERIFY(read(once, &times, 8) == -1 && errno == EAGAIN);
  const int epoll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = hourly};
  epoll_ctl(epoll, EPOLL_CTL_ADD, hourly, &event);
  event.data.fd = once;
  epoll_ctl(epoll, EPOLL_CTL_ADD, once, &event);
  const double begin = now();
  const int expected[] = {hourly, once, hourly};
  for (int i = 0; i < 3; ++i) {
    VERIFY(epoll_wait(epoll, &event, 1, -1) == 1);
    VERIFY(event.data.fd == expected[i]);
    VERIFY(read(event.data.fd, &times, 8) == 8 && times >= 1);
  }
  const double passed = now() - begin;
  VERIFY(passed >= 7200 - 1 && passed < 7300);
  VERIFY(timerfd_gettime(hourly, &setting) == 0);
  VERIFY(setting.it_interval.tv_sec == 3600 && setting.it_value.tv_sec <= 3600);
  close(hourly);
  close(once);
  return argument;
}

static void alarm_clock(void) {
  signal(SIGALRM, count);
  VERIFY(alarm(1000) == 0);
  VERIFY(alarm(500) == 1000);
  while (alarms == 0) usleep(60 * 1000 * 1000);
  struct itimerval setting = {{0}, {3, 0}};
  VERIFY(setitimer(ITIMER_REAL, &setting, NULL) == 0);
  while (alarms == 1) usleep(1000 * 1000);
  VERIFY(alarms == 2);
}

static void waited_for(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
                           .sigev_signo = SIGRTMIN,
                           .sigev_value.sival_int = 42};
  timer_t timer;
  VERIFY(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  struct itimerspec setting = {{0}, {3600}};
  VERIFY(timer_settime(timer, 0, &setting, NULL) == 0);
  siginfo_t info;
  VERIFY(sigwaitinfo(&set, &info) == SIGRTMIN);
  VERIFY(info.si_code == SI_TIMER && info.si_value.sival_int == 42);
  VERIFY(timer_delete(timer) == 0);
}

static void vdso(void) {
  struct timespec direct;
  const double before = now();
  VERIFY(syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &direct) == 0);
  const double seen = (double)direct.tv_sec + (double)direct.tv_nsec / 1e9;
  VERIFY(seen >= before && seen < before + 1);
  // libc reads this one inside, through the vDSO.
  struct timespec inside, hooked;
  VERIFY(timespec_get(&inside, TIME_UTC) == TIME_UTC);
  VERIFY(clock_gettime(CLOCK_REALTIME, &hooked) == 0);
  VERIFY(hooked.tv_sec - inside.tv_sec <= 1);
  VERIFY(inside.tv_sec <= hooked.tv_sec);
  // clock() reads the processor's time inside libc.
  VERIFY(clock() < 60 * CLOCKS_PER_SEC);
}

int main(void) {
  pthread_t ticker;
  pthread_create(&ticker, NULL, tick, NULL);
  pthread_join(ticker, NULL);
  alarm_clock();
  waited_for();
  vdso();
  return 0;
}
