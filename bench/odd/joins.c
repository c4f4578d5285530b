// C11 threads and the library's own joins: by trying, by deadline, by clock;
// what a thread that has ended still answers.
// FLAGS: -O0

#define _GNU_SOURCE
#include <signal.h>
#include <threads.h>
#include <time.h>

#include "want.h"

static mtx_t mutex;
static cnd_t changed;
static tss_t slot;
static once_flag once = ONCE_FLAG_INIT;
static int made, go;
static _Atomic int freed;

static void count(void) { made++; }
static void drop(void* value) { freed += *(int*)value; }

static int worker(void* value) {
  call_once(&once, count);
  tss_set(slot, value);
  mtx_lock(&mutex);
  while (!go) cnd_wait(&changed, &mutex);
  mtx_unlock(&mutex);
  if (*(int*)value == 1) thrd_exit(40);
  return *(int*)value;
}

static void* body(void* value) { return (void*)(long)worker(value); }

int main(void) {
  int values[3] = {1, 2, 4};
  thrd_t plain[2];
  pthread_t late;
  want(mtx_init(&mutex, mtx_timed | mtx_recursive) == thrd_success);
  want(cnd_init(&changed) == thrd_success);
  want(tss_create(&slot, drop) == thrd_success);
  mtx_lock(&mutex);
  mtx_lock(&mutex);
  for (int i = 0; i < 2; i++)
    want(thrd_create(&plain[i], worker, &values[i]) == thrd_success);
  late = start(body, &values[2]);
  void* result;
  struct timespec soon;
  want(pthread_tryjoin_np(late, &result) == EBUSY);
  clock_gettime(CLOCK_MONOTONIC, &soon);
  soon.tv_nsec = 0;
  want(pthread_clockjoin_np(late, &result, CLOCK_MONOTONIC, &soon) ==
       ETIMEDOUT);
  want(timespec_get(&soon, TIME_UTC) == TIME_UTC);
  want(pthread_timedjoin_np(late, &result, &soon) == ETIMEDOUT);
  want(pthread_kill(late, 0) == 0);
  go = 1;
  cnd_broadcast(&changed);
  mtx_unlock(&mutex);
  mtx_unlock(&mutex);
  int first, second;
  want(thrd_join(plain[0], &first) == thrd_success);
  want(thrd_join(plain[1], &second) == thrd_success);
  soon.tv_sec += 3600;
  want(pthread_timedjoin_np(late, &result, &soon) == 0);
  printf("%d %d %ld, made %d, freed %d\n", first, second, (long)result, made,
         freed);
  return 0;
}
