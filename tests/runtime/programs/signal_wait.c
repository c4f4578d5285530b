// A thread that takes all signals by sigwait, as servers do; sigtimedwait times
// out, and sigwaitinfo tells who sent what.
//
// EXPECT: ended(0)
// EVENTS: sigwait timed-out
// PLAIN:  0

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "verify.h"

static sigset_t set;
static int served;

static void* serve(void* unused) {
  for (;;) {
    int number;
    VERIFY(sigwait(&set, &number) == 0);
    if (number == SIGTERM) return 0;
    VERIFY(number == SIGUSR1);
    ++served;
  }
}

int main(void) {
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  struct timespec soon = {0, 1000000};
  VERIFY(sigtimedwait(&set, 0, &soon) == -1 && errno == EAGAIN);
  siginfo_t info;
  VERIFY(raise(SIGUSR1) == 0);
  VERIFY(sigwaitinfo(&set, &info) == SIGUSR1);
  VERIFY(info.si_pid == getpid() && info.si_code == SI_USER);
  pthread_t thread;
  pthread_create(&thread, 0, serve, 0);
  kill(getpid(), SIGUSR1);
  kill(getpid(), SIGTERM);
  pthread_join(thread, 0);
  VERIFY(served == 1);
  return 0;
}
