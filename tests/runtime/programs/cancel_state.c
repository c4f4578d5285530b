// Cancellation disabled is cancellation put off; asynchronous cancellation is
// acted on at once by the thread itself; a thread that has ended ignores it.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static int steps;

static void* put_off(void* unused) {
  (void)unused;
  int old;
  if (pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) != 0) exit(2);
  if (old != PTHREAD_CANCEL_ENABLE) exit(3);
  pthread_cancel(pthread_self());
  pthread_testcancel();
  steps = 1;
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
  if (old != PTHREAD_CANCEL_DISABLE) exit(4);
  steps = 2;  // deferred: not at once
  pthread_testcancel();
  steps = 3;
  return 0;
}

static void* at_once(void* unused) {
  (void)unused;
  int old;
  if (pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) != 0) exit(5);
  if (old != PTHREAD_CANCEL_DEFERRED) exit(6);
  pthread_cancel(pthread_self());
  steps = 4;
  return 0;
}

static void* locks(void* unused) {
  (void)unused;
  pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
  for (;;) {  // neither is a cancellation point
    pthread_mutex_lock(&own);
    pthread_mutex_unlock(&own);
  }
}

static void* ends(void* unused) { return unused; }

static void* run(void* (*routine)(void*)) {
  pthread_t thread;
  void* result;
  pthread_create(&thread, 0, routine, 0);
  pthread_join(thread, &result);
  return result;
}

int main(void) {
  if (run(put_off) != PTHREAD_CANCELED || steps != 2) return 1;
  if (run(at_once) != PTHREAD_CANCELED || steps != 2) return 7;
  if (pthread_setcancelstate(77, 0) != EINVAL) return 8;
  if (pthread_setcanceltype(77, 0) != EINVAL) return 9;
  pthread_t thread;
  void* result;
  pthread_create(&thread, 0, locks, 0);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  if (result != PTHREAD_CANCELED) return 10;
  pthread_create(&thread, 0, ends, 0);
  while (pthread_tryjoin_np(thread, 0) == EBUSY) {
  }
  return 0;
}
