// Handlers inside handlers: SA_NODEFER, SA_RESETHAND, masks of actions, and
// what a new thread inherits.
// FLAGS: -O2

#include <signal.h>

#include "want.h"

static volatile sig_atomic_t depth, deepest;
static volatile char trail[32];
static volatile sig_atomic_t used;

static void nested(int number) {
  if (++depth > deepest) deepest = depth;
  trail[used++] = (char)('0' + depth);
  if (depth < 4) raise(number);
  trail[used++] = 'r';
  depth--;
}

static void inner(int number) {
  (void)number;
  trail[used++] = 'i';
}

static void outer(int number) {
  (void)number;
  trail[used++] = '<';
  raise(SIGUSR2);  // Held back until this handler is over.
  trail[used++] = '>';
}

static void* child(void* unused) {
  sigset_t mine;
  want(pthread_sigmask(SIG_BLOCK, NULL, &mine) == 0);
  want(sigismember(&mine, SIGUSR1) == 1 && sigismember(&mine, SIGUSR2) == 0);
  want(pthread_kill(pthread_self(), SIGUSR1) == 0);
  want(sigpending(&mine) == 0 && sigismember(&mine, SIGUSR1) == 1);
  return unused;
}

int main(void) {
  struct sigaction action = {.sa_handler = nested,
                             .sa_flags = SA_NODEFER | SA_RESETHAND};
  want(sigaction(SIGUSR1, &action, NULL) == 0);
  action.sa_flags = SA_NODEFER;
  want(sigaction(SIGTERM, &action, NULL) == 0);
  raise(SIGTERM);
  struct sigaction now;
  sigaction(SIGUSR1, NULL, &now);
  want(now.sa_handler == nested);
  depth = 3;
  raise(SIGUSR1);
  sigaction(SIGUSR1, NULL, &now);
  want(now.sa_handler == SIG_DFL);
  action.sa_flags = 0;
  action.sa_handler = inner;
  want(sigaction(SIGUSR2, &action, NULL) == 0);
  action.sa_handler = outer;
  sigaddset(&action.sa_mask, SIGUSR2);
  want(sigaction(SIGUSR1, &action, NULL) == 0);
  raise(SIGUSR1);
  sigset_t usr1;
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &usr1, NULL);
  finish(start(child, NULL));
  printf("%s deepest %d\n", (const char*)trail, (int)deepest);
  return 0;
}
