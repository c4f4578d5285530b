// The twin of signal_pause_race.c: sigsuspend lets the signal through for the
// time of the wait only.
//
// EXPECT: ended(0)
// EVENTS: sigwait
// PLAIN:  0

#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "verify.h"

static volatile sig_atomic_t told;

static void handler(int number) { told = 1; }

static void* waiter(void* unused) {
  sigset_t none, now;
  sigemptyset(&none);
  while (!told) VERIFY(sigsuspend(&none) == -1 && errno == EINTR);
  pthread_sigmask(SIG_BLOCK, 0, &now);
  VERIFY(sigismember(&now, SIGUSR1));
  return 0;
}

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  sigset_t usr1;
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  sigaction(SIGUSR1, &action, 0);
  pthread_sigmask(SIG_BLOCK, &usr1, 0);
  pthread_t thread;
  pthread_create(&thread, 0, waiter, 0);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, 0);
  return 0;
}
