// Waiting for a semaphore, also with a time limit, is a cancellation point; a
// post that comes as well is not lost.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

#include "verify.h"

static sem_t semaphore;
static int taken;

static void* waits(void* unused) {
  (void)unused;
  while (sem_wait(&semaphore) != 0) VERIFY(errno == EINTR);
  ++taken;
  return 0;
}

static void* waits_timed(void* unused) {
  (void)unused;
  for (;;) {
    const struct timespec when = in_ms(CLOCK_REALTIME, 100000);
    if (sem_timedwait(&semaphore, &when) == 0) break;
    VERIFY(errno == ETIMEDOUT || errno == EINTR);
  }
  ++taken;
  return 0;
}

static void run(void* (*routine)(void*)) {
  pthread_t thread;
  void* result;
  int left;
  taken = 0;
  sem_init(&semaphore, 0, 0);
  pthread_create(&thread, 0, routine, 0);
  pthread_cancel(thread);
  sem_post(&semaphore);
  pthread_join(thread, &result);
  sem_getvalue(&semaphore, &left);
  VERIFY(left + taken == 1);
  VERIFY((result == PTHREAD_CANCELED) == (taken == 0));
  sem_destroy(&semaphore);
}

int main(void) {
  run(waits);
  run(waits_timed);
  return 0;
}
