// Timed locks: on both clocks, in time and too late, with nonsensical times.
// Whether a lock that has to wait comes in time is a choice.
//
// EXPECT: ended(0) ended(7)
// EVENTS: timed-out success

#include <errno.h>
#include <pthread.h>

#include "verify.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int late;

static void* wait_for_it(void* unused) {
  (void)unused;
  struct timespec when = in_ms(CLOCK_MONOTONIC, 1000);
  int error = pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &when);
  VERIFY(error == 0 || error == ETIMEDOUT);
  if (error == 0) pthread_mutex_unlock(&mutex);
  late = error == ETIMEDOUT;
  return 0;
}

static void* be_refused(void* unused) {
  (void)unused;
  struct timespec nonsense = {.tv_sec = 0, .tv_nsec = -1};
  struct timespec past = {.tv_sec = 1, .tv_nsec = 0};
  struct timespec soon = in_ms(CLOCK_REALTIME, 10);
  VERIFY(pthread_mutex_timedlock(&mutex, &nonsense) == EINVAL);
  VERIFY(pthread_mutex_timedlock(&mutex, &past) == ETIMEDOUT);
  VERIFY(pthread_mutex_timedlock(&mutex, &soon) == ETIMEDOUT);
  VERIFY(pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &past) ==
         EINVAL);
  return 0;
}

int main(void) {
  pthread_t thread;
  struct timespec nonsense = {.tv_sec = 0, .tv_nsec = -1};
  VERIFY(pthread_mutex_timedlock(&mutex, &nonsense) == 0);
  pthread_create(&thread, 0, be_refused, 0);
  pthread_join(thread, 0);
  pthread_create(&thread, 0, wait_for_it, 0);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return late ? 7 : 0;
}
