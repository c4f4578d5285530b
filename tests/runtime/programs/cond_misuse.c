// Waiting without the mutex: an error-checking mutex says so, a normal one
// does not, and the wait goes on. And two waiters with different mutexes.
//
// EXPECT: ended(0)+misuse
// TEXT:   without holding the mutex

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "verify.h"

static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void* wait_with_other(void* unused) {
  (void)unused;
  struct timespec when = in_ms(CLOCK_REALTIME, 20);
  pthread_mutex_lock(&other);
  int error = pthread_cond_timedwait(&changed, &other, &when);
  VERIFY(error == 0 || error == ETIMEDOUT);
  VERIFY(pthread_mutex_unlock(&other) == 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  struct timespec when = in_ms(CLOCK_REALTIME, 20);
  VERIFY(pthread_cond_wait(&changed, &checking) == EPERM);
  pthread_create(&thread, 0, wait_with_other, 0);
  int error = pthread_cond_timedwait(&changed, &normal, &when);
  VERIFY(error == 0 || error == ETIMEDOUT);
  VERIFY(pthread_mutex_trylock(&normal) == EBUSY);
  VERIFY(pthread_mutex_unlock(&normal) == 0);
  pthread_join(thread, 0);
  return 0;
}
