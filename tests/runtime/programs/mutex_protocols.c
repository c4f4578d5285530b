// Priority protocols change nothing but are accepted; recursion, waiting and
// a wait on a condition variable work with them.
//
// EXPECT: ended(0)

#include <pthread.h>

#include "verify.h"

static pthread_mutex_t inherit;
static pthread_mutex_t nested;
static int counter;

static void* count(void* unused) {
  (void)unused;
  for (int i = 0; i < 4; ++i) {
    VERIFY(pthread_mutex_lock(&inherit) == 0);
    VERIFY(pthread_mutex_lock(&nested) == 0);
    VERIFY(pthread_mutex_lock(&nested) == 0);
    ++counter;
    VERIFY(pthread_mutex_unlock(&nested) == 0);
    VERIFY(pthread_mutex_unlock(&nested) == 0);
    VERIFY(pthread_mutex_unlock(&inherit) == 0);
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  VERIFY(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT) == 0);
  VERIFY(pthread_mutex_init(&inherit, &attr) == 0);
  VERIFY(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE) == 0);
  VERIFY(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT) == 0);
  VERIFY(pthread_mutexattr_setprioceiling(&attr, 10) == 0);
  VERIFY(pthread_mutex_init(&nested, &attr) == 0);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, count, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  VERIFY(counter == 8);
  VERIFY(pthread_mutex_destroy(&inherit) == 0);
  VERIFY(pthread_mutex_destroy(&nested) == 0);
  return 0;
}
