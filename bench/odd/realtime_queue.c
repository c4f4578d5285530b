// Queued real-time signals: lower numbers first, equal ones in order, with
// their values; ordinary ones merge.
// FLAGS: -O1

#define _GNU_SOURCE
#include <signal.h>
#include <time.h>

#include "want.h"

static sigset_t waited;
static pthread_barrier_t ready;

static void* receiver(void* unused) {
  pthread_barrier_wait(&ready);
  pthread_barrier_wait(&ready);
  siginfo_t info;
  const struct timespec none = {0, 0};
  int number;
  while ((number = sigtimedwait(&waited, &info, &none)) > 0) {
    if (number >= SIGRTMIN)
      printf("rt+%d:%d ", number - SIGRTMIN, info.si_value.sival_int);
    else
      printf("usr1 code %d ", info.si_code);
  }
  want(errno == EAGAIN);
  return unused;
}

int main(void) {
  sigemptyset(&waited);
  for (int i = 0; i < 3; i++) sigaddset(&waited, SIGRTMIN + i);
  sigaddset(&waited, SIGUSR1);
  want(pthread_sigmask(SIG_BLOCK, &waited, NULL) == 0);
  pthread_barrier_init(&ready, NULL, 2);
  const pthread_t thread = start(receiver, NULL);
  pthread_barrier_wait(&ready);
  for (int i = 0; i < 6; i++) {
    const union sigval value = {.sival_int = 10 * i};
    want(pthread_sigqueue(thread, SIGRTMIN + (5 - i) % 3, value) == 0);
  }
  want(pthread_kill(thread, SIGUSR1) == 0);
  want(pthread_kill(thread, SIGUSR1) == 0);
  pthread_barrier_wait(&ready);
  finish(thread);
  const union sigval mine = {.sival_int = 99};
  want(sigqueue(getpid(), SIGRTMIN, mine) == 0);
  siginfo_t info;
  want(sigwaitinfo(&waited, &info) == SIGRTMIN);
  want(info.si_code == SI_QUEUE && info.si_pid == getpid());
  printf("process: %d\n", info.si_value.sival_int);
  return 0;
}
