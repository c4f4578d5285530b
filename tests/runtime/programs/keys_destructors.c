// Thread-specific values: each thread its own, destructors in rounds, values
// set again by a destructor, deleted keys, more keys than fit one block.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>

#include "verify.h"

enum { kMany = 50 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t plain, stubborn, deleted, many[kMany];
static int plain_runs, stubborn_runs, deleted_runs, many_runs;

// Takes a lock, so other threads run meanwhile.
static void count(int* counter) {
  pthread_mutex_lock(&mutex);
  ++*counter;
  sched_yield();
  pthread_mutex_unlock(&mutex);
}

static void destroy_plain(void* value) {
  VERIFY(value == &plain_runs);
  VERIFY(pthread_getspecific(plain) == 0);
  count(&plain_runs);
}
static void destroy_stubborn(void* value) {
  count(&stubborn_runs);
  pthread_setspecific(stubborn, value);
}
static void destroy_deleted(void* value) {
  (void)value;
  count(&deleted_runs);
}
static void destroy_many(void* value) {
  (void)value;
  count(&many_runs);
}

static void* use(void* unused) {
  (void)unused;
  VERIFY(pthread_getspecific(plain) == 0);
  VERIFY(pthread_setspecific(plain, &plain_runs) == 0);
  VERIFY(pthread_setspecific(stubborn, &stubborn_runs) == 0);
  if (deleted_runs == 0) pthread_setspecific(deleted, &deleted_runs);
  for (int i = 0; i < kMany; ++i) {
    VERIFY(pthread_getspecific(many[i]) == 0);
    VERIFY(pthread_setspecific(many[i], &many[i]) == 0);
  }
  sched_yield();
  VERIFY(pthread_getspecific(plain) == &plain_runs);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  VERIFY(pthread_key_create(&plain, destroy_plain) == 0);
  VERIFY(pthread_key_create(&stubborn, destroy_stubborn) == 0);
  VERIFY(pthread_key_create(&deleted, destroy_deleted) == 0);
  for (int i = 0; i < kMany; ++i) {
    VERIFY(pthread_key_create(&many[i], destroy_many) == 0);
  }
  VERIFY(pthread_key_delete(deleted) == 0);
  VERIFY(pthread_key_delete(deleted) == EINVAL);
  for (int round = 1; round <= 2; ++round) {
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, use, 0);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    VERIFY(plain_runs == 2 * round);
    VERIFY(stubborn_runs == 2 * round * PTHREAD_DESTRUCTOR_ITERATIONS);
    VERIFY(many_runs == 2 * round * kMany);
    VERIFY(deleted_runs == 0);
  }
  VERIFY(pthread_getspecific(plain) == 0);
  return 0;
}
