// A token goes round a ring of threads that wait by yielding, in four ways.
// FLAGS: -O3

#define _GNU_SOURCE
#include <sched.h>
#include <stdatomic.h>
#include <sys/select.h>
#include <time.h>

#include "want.h"

enum { kThreads = 4, kRounds = 6 };

static atomic_int token;
static char order[kThreads * kRounds + 1];

static void wait_a_little(long number) {
  const struct timespec nothing = {0, 0}, little = {0, 1000};
  switch (number) {
    case 0:
      sched_yield();
      break;
    case 1:
      nanosleep(&nothing, NULL);
      break;
    case 2:
      pselect(0, NULL, NULL, NULL, &little, NULL);
      break;
    default:
      __builtin_ia32_pause();
  }
}

static void* body(void* number) {
  for (int round = 0; round < kRounds; round++) {
    const int mine = round * kThreads + (int)(long)number;
    while (atomic_load_explicit(&token, memory_order_acquire) != mine)
      wait_a_little((long)number);
    order[mine] = (char)('a' + (long)number);
    atomic_store_explicit(&token, mine + 1, memory_order_release);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  for (long i = kThreads; i-- > 0;) threads[i] = start(body, (void*)i);
  for (int i = 0; i < kThreads; i++) finish(threads[i]);
  puts(order);
  return 0;
}
