// C11's <threads.h>: threads, mutexes of every kind, condition variables, once,
// thread-specific storage.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <stdlib.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex, recursive, timed;
static cnd_t changed;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t key;
static int turn, initialised, destroyed;

static void check(int holds, int code) {
  if (!holds) exit(code);
}

static void initialise(void) {
  mtx_lock(&mutex);
  ++initialised;
  mtx_unlock(&mutex);
}

static void destroy_value(void* value) {
  mtx_lock(&mutex);
  destroyed += *(int*)value;
  mtx_unlock(&mutex);
}

static int takes_turns(void* argument) {
  static int one = 1;
  const int self = *(int*)argument;
  call_once(&flag, initialise);
  check(initialised == 1, 10);
  check(tss_get(key) == NULL, 11);
  check(tss_set(key, &one) == thrd_success, 12);
  check(tss_get(key) == &one, 13);
  for (int i = 0; i < 3; ++i) {
    mtx_lock(&mutex);
    while (turn % 2 != self) cnd_wait(&changed, &mutex);
    ++turn;
    cnd_broadcast(&changed);
    mtx_unlock(&mutex);
  }
  if (self == 1) thrd_exit(-7);
  return -6;
}

static int finds_it_taken(void* past) {
  check(mtx_trylock(&timed) == thrd_busy, 25);
  check(mtx_timedlock(&timed, past) == thrd_timedout, 26);
  return 0;
}

static int sleeps(void* unused) {
  (void)unused;
  thrd_detach(thrd_current());
  thrd_yield();
  return 0;
}

int main(void) {
  int numbers[2] = {0, 1}, results[2];
  thrd_t threads[2], detached;
  struct timespec past = {.tv_sec = 1, .tv_nsec = 0};
  struct timespec moment = {.tv_sec = 0, .tv_nsec = 1000};
  check(mtx_init(&mutex, mtx_plain) == thrd_success, 1);
  check(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success, 2);
  check(mtx_init(&timed, mtx_timed) == thrd_success, 3);
  check(cnd_init(&changed) == thrd_success, 4);
  check(tss_create(&key, destroy_value) == thrd_success, 5);
  for (int i = 0; i < 2; ++i) {
    check(thrd_create(&threads[i], takes_turns, &numbers[i]) == thrd_success,
          6);
  }
  check(!thrd_equal(threads[0], thrd_current()), 7);
  for (int i = 0; i < 2; ++i) {
    check(thrd_join(threads[i], &results[i]) == thrd_success, 8);
  }
  check(results[0] == -6 && results[1] == -7, 9);
  check(turn == 6 && destroyed == 2, 14);

  check(mtx_lock(&recursive) == thrd_success, 20);
  check(mtx_trylock(&recursive) == thrd_success, 21);
  check(mtx_unlock(&recursive) == thrd_success, 22);
  check(mtx_unlock(&recursive) == thrd_success, 23);
  check(mtx_lock(&timed) == thrd_success, 24);
  check(thrd_create(&threads[0], finds_it_taken, &past) == thrd_success, 32);
  check(thrd_join(threads[0], NULL) == thrd_success, 33);
  check(cnd_timedwait(&changed, &timed, &past) == thrd_timedout, 27);
  check(mtx_unlock(&timed) == thrd_success, 28);
  check(cnd_signal(&changed) == thrd_success, 29);
  check(thrd_sleep(&moment, NULL) == 0, 30);
  check(thrd_create(&detached, sleeps, NULL) == thrd_success, 31);
  tss_delete(key);
  mtx_destroy(&mutex);
  mtx_destroy(&recursive);
  mtx_destroy(&timed);
  cnd_destroy(&changed);
  return 0;
}
