// A handler counts, and so does the thread that it interrupts between its read
// and its write. Fixed: the thread blocks the signal meanwhile.

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

static volatile int count;
static atomic_int handled;

static void handle(int number) {
  (void)number;
  count = count + 10;
  handled = 1;
}

static void* work(void* argument) {
#ifdef FIXED
  sigset_t set, old;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, &old);
#endif
  const int seen = count;
  count = seen + 1;
#ifdef FIXED
  pthread_sigmask(SIG_SETMASK, &old, NULL);
#endif
  while (!handled) sched_yield();
  return argument;
}

int main(void) {
  const struct sigaction action = {.sa_handler = handle};
  sigaction(SIGUSR1, &action, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, NULL);
  if (count == 11) return 0;
  printf("counted %d\n", count);
  return 1;
}
