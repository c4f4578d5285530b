// A program that replaces itself by itself: the new one is not dragged in,
// finds none of our variables, and the signal mask that it was given.
//
// EXPECT: replaced(0)
// PLAIN:  0

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "verify.h"

static void* nothing(void* unused) { return 0; }

int main(int argc, char** argv) {
  sigset_t usr1, now;
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  if (argc > 1) {
    sigprocmask(SIG_BLOCK, 0, &now);
    VERIFY(sigismember(&now, SIGUSR1) && !sigismember(&now, SIGUSR2));
    VERIFY(getenv("FAIRLEAD_CONTROL") == 0 && getenv("LD_PRELOAD") == 0);
    struct sigaction action;
    sigaction(SIGUSR2, 0, &action);
    VERIFY(action.sa_handler == SIG_IGN);
    sigaction(SIGUSR1, 0, &action);
    VERIFY(action.sa_handler == SIG_DFL);
    for (int fd = 3; fd < 64; ++fd) VERIFY(close(fd) != 0);
    return 0;
  }
  for (int fd = 3; fd < 64; ++fd) close(fd);
  signal(SIGUSR2, SIG_IGN);
  pthread_sigmask(SIG_BLOCK, &usr1, 0);
  pthread_t thread;
  pthread_create(&thread, 0, nothing, 0);
  pthread_join(thread, 0);
  execl("/proc/self/exe", "again", "again", (char*)0);
  return 1;
}
