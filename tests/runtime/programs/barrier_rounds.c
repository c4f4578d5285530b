// Three threads meet at a barrier round by round; in each, one is the serial
// thread, and nobody is a round ahead.
//
// EXPECT: ended(0)
// EVENTS: barrier barrier-passed woken-by-barrier init destroy
// PLAIN:  0

#include <pthread.h>

#include "verify.h"

enum { kThreads = 3, kRounds = 4 };

static pthread_barrier_t barrier;
static int at[kThreads];
static int serial[kRounds];

static void* work(void* argument) {
  int me = (int)(long)argument;
  for (int round = 0; round < kRounds; ++round) {
    at[me] = round + 1;
    int result = pthread_barrier_wait(&barrier);
    VERIFY(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    if (result != 0) __atomic_fetch_add(&serial[round], 1, __ATOMIC_RELAXED);
    for (int i = 0; i < kThreads; ++i) VERIFY(at[i] > round);
    pthread_barrier_wait(&barrier);
  }
  return 0;
}

int main(void) {
  pthread_t threads[kThreads];
  VERIFY(pthread_barrier_init(&barrier, 0, kThreads) == 0);
  for (long i = 0; i < kThreads; ++i) {
    pthread_create(&threads[i], 0, work, (void*)i);
  }
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], 0);
  for (int i = 0; i < kRounds; ++i) VERIFY(serial[i] == 1);
  VERIFY(pthread_barrier_destroy(&barrier) == 0);
  VERIFY(pthread_barrier_init(&barrier, 0, 1) == 0);
  VERIFY(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
  VERIFY(pthread_barrier_destroy(&barrier) == 0);
  return 0;
}
