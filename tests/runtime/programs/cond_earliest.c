// Nobody can move but by a deadline: the earlier one passes first, whichever
// wait began first and whatever the clock. By choice, a wait may also end
// early, so all orders of the two are seen.
//
// EXPECT: ended(12) ended(21)
// EVENTS: timed-out

#include <errno.h>
#include <pthread.h>

#include "verify.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int order;

static void* wait_long(void* unused) {
  (void)unused;
  struct timespec when = in_ms(CLOCK_REALTIME, 90000);
  pthread_mutex_lock(&mutex);
  VERIFY(pthread_cond_timedwait(&never, &mutex, &when) == ETIMEDOUT);
  order = order * 10 + 2;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  struct timespec when = in_ms(CLOCK_MONOTONIC, 30000);
  pthread_create(&thread, 0, wait_long, 0);
  pthread_mutex_lock(&mutex);
  VERIFY(pthread_cond_clockwait(&never, &mutex, CLOCK_MONOTONIC, &when) ==
         ETIMEDOUT);
  order = order * 10 + 1;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return order;
}
