// The twin of stack_overflow.c: two threads survive it, each by a handler on an
// alternate stack of its own that waits for the other one.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

#include "verify.h"

static char stacks[2][65536];
static __thread sigjmp_buf back;
static pthread_barrier_t barrier;
static volatile int sink;

static int deeper(int depth) {
  volatile char frame[4096];
  frame[depth % 4096] = 1;
  return deeper(depth + 1) + frame[0];
}

static void handler(int number, siginfo_t* info, void* context) {
  VERIFY(number == SIGSEGV && info->si_addr != 0);
  pthread_barrier_wait(&barrier);
  siglongjmp(back, 1);
}

static void* overflow(void* stack) {
  stack_t wanted = {.ss_sp = stack, .ss_size = 65536};
  VERIFY(sigaltstack(&wanted, 0) == 0);
  sigset_t before, after;
  pthread_sigmask(SIG_BLOCK, 0, &before);
  if (sigsetjmp(back, 1) == 0) sink = deeper(0);
  pthread_sigmask(SIG_BLOCK, 0, &after);
  VERIFY(!sigismember(&before, SIGSEGV) && !sigismember(&after, SIGSEGV));
  return 0;
}

int main(void) {
  struct sigaction action = {.sa_sigaction = handler,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigaction(SIGSEGV, &action, 0);
  pthread_barrier_init(&barrier, 0, 2);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    pthread_create(&threads[i], 0, overflow, stacks[i]);
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
