// POSIX timers by signal, by thread and by nobody; periods, overruns and what
// is left of them.
// FLAGS: -O1

#define _GNU_SOURCE
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "want.h"

static sem_t by_thread;
static atomic_int value_seen;

static void in_thread(union sigval value) {
  atomic_store(&value_seen, value.sival_int);
  sem_post(&by_thread);
}

int main(void) {
  sem_init(&by_thread, 0, 0);
  sigset_t rt;
  sigemptyset(&rt);
  sigaddset(&rt, SIGRTMIN);
  want(pthread_sigmask(SIG_BLOCK, &rt, NULL) == 0);

  timer_t periodic, once, idle;
  struct sigevent how = {.sigev_notify = SIGEV_SIGNAL,
                         .sigev_signo = SIGRTMIN,
                         .sigev_value.sival_int = 5};
  want(timer_create(CLOCK_MONOTONIC, &how, &periodic) == 0);
  struct sigevent thread = {.sigev_notify = SIGEV_THREAD,
                            .sigev_notify_function = in_thread,
                            .sigev_value.sival_int = 11};
  want(timer_create(CLOCK_REALTIME, &thread, &once) == 0);
  struct sigevent none = {.sigev_notify = SIGEV_NONE};
  want(timer_create(CLOCK_MONOTONIC, &none, &idle) == 0);

  const struct itimerspec period = {{0, 2000000}, {0, 2000000}};
  const struct itimerspec hour = {{0, 0}, {3600, 0}};
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const struct itimerspec past = {{0, 0}, {now.tv_sec - 10, 1}};
  want(timer_settime(periodic, 0, &period, NULL) == 0);
  want(timer_settime(once, TIMER_ABSTIME, &past, NULL) == 0);
  want(timer_settime(idle, 0, &hour, NULL) == 0);
  int came = 0;
  while (came < 3) {
    siginfo_t info;
    want(sigwaitinfo(&rt, &info) == SIGRTMIN && info.si_code == SI_TIMER);
    want(info.si_value.sival_int == 5 && timer_getoverrun(periodic) >= 0);
    came++;
  }
  while (sem_wait(&by_thread) != 0) want(errno == EINTR);
  struct itimerspec rest;
  want(timer_gettime(idle, &rest) == 0);
  want(rest.it_value.tv_sec > 3500 && rest.it_value.tv_sec <= 3600);
  want(timer_delete(periodic) == 0 && timer_delete(once) == 0);
  want(timer_delete(idle) == 0);
  printf("came %d, value %d\n", came, atomic_load(&value_seen));
  return 0;
}
