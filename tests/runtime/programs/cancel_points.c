// A cancelled thread leaves at its next cancellation point: while it waits for
// a condition, joins, sleeps or tests; handlers run with the mutex held.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int handlers;

static void unlock(void* held) {
  // Not our own would be a misuse, and a verdict.
  if (pthread_mutex_trylock(&mutex) == 0) exit(10);
  ++handlers;
  pthread_mutex_unlock(held);
}

static void* waits(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  for (;;) pthread_cond_wait(&cond, &mutex);
  pthread_cleanup_pop(0);
  return 0;
}

static void* waits_timed(void* unused) {
  (void)unused;
  const struct timespec far = {.tv_sec = 4000000000, .tv_nsec = 0};
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  for (;;) pthread_cond_timedwait(&cond, &mutex, &far);
  pthread_cleanup_pop(0);
  return 0;
}

static void* tests(void* unused) {
  (void)unused;
  for (;;) pthread_testcancel();
}

static void* sleeps(void* unused) {
  (void)unused;
  for (;;) sleep(1000);
}

static void* joins(void* target) {
  pthread_join(*(pthread_t*)target, 0);
  exit(12);
}

static void expect_canceled(pthread_t thread) {
  void* result = 0;
  if (pthread_cancel(thread) != 0) exit(2);
  if (pthread_join(thread, &result) != 0) exit(3);
  if (result != PTHREAD_CANCELED) exit(4);
}

int main(void) {
  pthread_t waiter, timed, tester, sleeper, joiner;
  pthread_create(&waiter, 0, waits, 0);
  pthread_create(&timed, 0, waits_timed, 0);
  pthread_create(&tester, 0, tests, 0);
  pthread_create(&sleeper, 0, sleeps, 0);
  pthread_create(&joiner, 0, joins, &tester);
  expect_canceled(joiner);
  expect_canceled(waiter);
  expect_canceled(timed);
  expect_canceled(sleeper);
  expect_canceled(tester);
  return handlers == 2 ? 0 : 5;
}
