// SA_RESETHAND, SA_NODEFER, real-time signals in order with their values,
// alternate stacks per thread.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "verify.h"

static int depth, deepest, order[4], num_order;
static char stacks[2][65536];

static void nested(int number) {
  if (++depth > deepest) deepest = depth;
  if (depth < 3) raise(number);
  --depth;
}

static void ordered(int number, siginfo_t* info, void* context) {
  VERIFY(info->si_code == SI_QUEUE);
  order[num_order++] = info->si_value.sival_int;
}

static _Thread_local char* expected;

static void on_stack(int number) {
  char here;
  stack_t now;
  VERIFY(&here > expected && &here < expected + 65536);
  sigaltstack(0, &now);
  VERIFY(now.ss_flags == SS_ONSTACK && now.ss_sp == expected);
}

static void* use_stack(void* stack) {
  stack_t wanted = {.ss_sp = stack, .ss_size = 65536}, old;
  expected = stack;
  VERIFY(sigaltstack(&wanted, &old) == 0);
  VERIFY(old.ss_flags == SS_DISABLE);
  raise(SIGUSR2);
  return 0;
}

int main(void) {
  struct sigaction action = {.sa_handler = nested, .sa_flags = SA_NODEFER};
  sigaction(SIGUSR1, &action, 0);
  raise(SIGUSR1);
  VERIFY(deepest == 3);

  action.sa_flags = SA_RESETHAND | SA_NODEFER;
  deepest = 3;
  depth = 3;
  sigaction(SIGCHLD, &action, 0);
  raise(SIGCHLD);
  struct sigaction now;
  sigaction(SIGCHLD, 0, &now);
  VERIFY(now.sa_handler == SIG_DFL);
  raise(SIGCHLD);

  action.sa_sigaction = ordered;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGRTMIN, &action, 0);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  sigprocmask(SIG_BLOCK, &set, 0);
  for (int i = 0; i < 3; ++i) {
    sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i});
  }
  VERIFY(num_order == 0);
  sigprocmask(SIG_UNBLOCK, &set, 0);
  VERIFY(num_order == 3);
  for (int i = 0; i < 3; ++i) VERIFY(order[i] == i);

  action.sa_handler = on_stack;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR2, &action, 0);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    pthread_create(&threads[i], 0, use_stack, stacks[i]);
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
