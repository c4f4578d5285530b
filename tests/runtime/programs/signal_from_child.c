// A signal that another process sends is an input: the wait for it is no
// deadlock, and a schedule that is followed brings it again at its point.
//
// EXPECT: ended(0)
// EVENTS: input
// REPEATS: replayed
// PLAIN:  0

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verify.h"

static volatile sig_atomic_t told;

static void handler(int number, siginfo_t* info, void* context) {
  VERIFY(info->si_code == SI_QUEUE && info->si_value.sival_int == 42);
  told = 1;
}

static void* work(void* argument) {
  for (int i = 0; i < 3; ++i) sched_yield();
  return 0;
}

int main(void) {
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
  sigset_t usr1, open;
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  sigaction(SIGUSR1, &action, 0);
  pthread_sigmask(SIG_BLOCK, &usr1, &open);
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    sigqueue(parent, SIGUSR1, (union sigval){.sival_int = 42});
    _exit(0);
  }
  while (!told) VERIFY(sigsuspend(&open) == -1 && errno == EINTR);
  pthread_join(thread, 0);
  VERIFY(waitpid(child, 0, 0) == child);
  return 0;
}
