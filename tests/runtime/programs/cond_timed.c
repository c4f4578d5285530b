// Timed waits on both clocks, by attribute and by call. Nobody signals the
// first; whether the second is signalled in time is a choice.
//
// EXPECT: ended(0) ended(7)
// EVENTS: timed-out woken-by-signal wait waited

#include <errno.h>
#include <pthread.h>

#include "verify.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_cond_t changed;
static int value;

static void* set(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  value = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_condattr_t attr;
  struct timespec nonsense = {.tv_sec = 0, .tv_nsec = 1000000000};
  struct timespec past = {.tv_sec = 0, .tv_nsec = 0};
  struct timespec soon = in_ms(CLOCK_REALTIME, 10);
  pthread_condattr_init(&attr);
  VERIFY(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0);
  VERIFY(pthread_cond_init(&changed, &attr) == 0);
  pthread_mutex_lock(&mutex);
  VERIFY(pthread_cond_timedwait(&never, &mutex, &nonsense) == EINVAL);
  VERIFY(pthread_cond_timedwait(&never, &mutex, &past) == ETIMEDOUT);
  VERIFY(pthread_cond_timedwait(&never, &mutex, &soon) == ETIMEDOUT);
  soon = in_ms(CLOCK_MONOTONIC, 10);
  VERIFY(pthread_cond_clockwait(&never, &mutex, CLOCK_MONOTONIC, &soon) ==
         ETIMEDOUT);
  VERIFY(pthread_cond_clockwait(&never, &mutex, CLOCK_THREAD_CPUTIME_ID,
                                &soon) == EINVAL);
  pthread_create(&thread, 0, set, 0);
  soon = in_ms(CLOCK_MONOTONIC, 1000);
  int late = 0;
  while (value == 0 && !late) {
    int error = pthread_cond_timedwait(&changed, &mutex, &soon);
    VERIFY(error == 0 || error == ETIMEDOUT);
    late = error == ETIMEDOUT && value == 0;
  }
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  VERIFY(pthread_cond_destroy(&changed) == 0);
  return late ? 7 : 0;
}
