// siglongjmp out of a SIGALRM handler, again and again, beside a busy thread.
// FLAGS: -O2

#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

#include "want.h"

static sigjmp_buf back;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void on_alarm(int number) { siglongjmp(back, number); }

static void* busy(void* unused) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  for (int i = 0; i < 50; i++) {
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  struct sigaction action = {.sa_handler = on_alarm};
  want(sigaction(SIGALRM, &action, NULL) == 0);
  sigset_t alarms, empty;
  sigemptyset(&empty);
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  want(pthread_sigmask(SIG_BLOCK, &alarms, NULL) == 0);
  const pthread_t thread = start(busy, NULL);
  volatile int jumps = 0;
  const int came = sigsetjmp(back, 1);
  if (came != 0) {
    want(came == SIGALRM);
    jumps++;
  }
  if (jumps < 5) {
    const struct itimerval soon = {.it_value = {0, 2000}};
    want(setitimer(ITIMER_REAL, &soon, NULL) == 0);
    for (;;) sigsuspend(&empty);
  }
  finish(thread);
  sigset_t now;
  pthread_sigmask(SIG_BLOCK, NULL, &now);
  printf("%d jumps, count %d, blocked %d\n", jumps, count,
         sigismember(&now, SIGALRM));
  return 0;
}
