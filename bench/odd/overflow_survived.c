// Recursion runs out of a small stack; a handler on an alternate stack jumps
// back, in two threads, twice each.
// FLAGS: -O1

#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>

#include "want.h"

static __thread sigjmp_buf back;
static __thread volatile int depth;

static void handler(int number, siginfo_t* info, void* unused) {
  (void)unused;
  if (number == SIGSEGV && info->si_addr != NULL) siglongjmp(back, 1);
  _exit(3);
}

__attribute__((noinline)) static int deeper(int n) {
  volatile char room[512];
  room[n % 512] = (char)n;
  depth = n;
  return n < 0 ? 0 : deeper(n + 1) + room[n % 512];
}

static void* body(void* unused) {
  static __thread char alternate[65536];
  const stack_t stack = {.ss_sp = alternate, .ss_size = sizeof(alternate)};
  want(sigaltstack(&stack, NULL) == 0);
  long survived = 0;
  for (volatile int i = 0; i < 2; i++) {
    if (sigsetjmp(back, 1) == 0) {
      deeper(0);
    } else {
      want(depth > 50);
      survived++;
    }
  }
  return (char*)unused + survived;
}

int main(void) {
  struct sigaction action = {.sa_sigaction = handler,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK};
  want(sigaction(SIGSEGV, &action, NULL) == 0);
  pthread_attr_t small;
  pthread_attr_init(&small);
  want(pthread_attr_setstacksize(&small, 256 * 1024) == 0);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    want(pthread_create(&threads[i], &small, body, NULL) == 0);
  const long first = (long)finish(threads[0]);
  printf("survived %ld and %ld\n", first, (long)finish(threads[1]));
  return 0;
}
