// Two threads add to a sum without a lock; an update is lost.
//
// patch fixed    1  one lock around both sides
// patch wrong    2  a lock around one side only
// patch wrong    3  a sleep in between
// patch wrong    4  two locks, one for each side
// patch wrong    5  one lock, given back between reading and writing
// patch unknown  6  nobody adds any more
// patch wrong    7  the sum is volatile
// patch fixed    8  each adds in one atomic operation
// patch wrong    9  each reads and writes in an atomic operation of its own

#include <pthread.h>
#include <unistd.h>

#ifndef PATCH
#define PATCH 0
#endif

#if PATCH == 7
static volatile int sum;
#else
static int sum;
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other_lock = PTHREAD_MUTEX_INITIALIZER;

static void Lock(int side) {
  if (PATCH == 1 || PATCH == 5 || (PATCH == 2 && side == 0)) {
    pthread_mutex_lock(&lock);
  }
  if (PATCH == 4) pthread_mutex_lock(side == 0 ? &lock : &other_lock);
}

static void Unlock(int side) {
  if (PATCH == 1 || PATCH == 5 || (PATCH == 2 && side == 0)) {
    pthread_mutex_unlock(&lock);
  }
  if (PATCH == 4) pthread_mutex_unlock(side == 0 ? &lock : &other_lock);
}

static void* Deposit(void* nothing) {
  if (PATCH == 6) return nothing;
#if PATCH == 8
  __atomic_fetch_add(&sum, 10, __ATOMIC_SEQ_CST);
#elif PATCH == 9
  const int had = __atomic_load_n(&sum, __ATOMIC_SEQ_CST);
  __atomic_store_n(&sum, had + 10, __ATOMIC_SEQ_CST);
#else
  Lock(0);
  int had = sum;
  if (PATCH == 3) usleep(1000);
  if (PATCH == 5) {
    Unlock(0);
    Lock(0);
  }
  sum = had + 10;
  Unlock(0);
#endif
  return nothing;
}

static void* Interest(void* nothing) {
  if (PATCH == 6) return nothing;
#if PATCH == 8
  __atomic_fetch_add(&sum, 3, __ATOMIC_SEQ_CST);
#elif PATCH == 9
  const int held = __atomic_load_n(&sum, __ATOMIC_SEQ_CST);
  __atomic_store_n(&sum, held + 3, __ATOMIC_SEQ_CST);
#else
  Lock(1);
  int held = sum;
  if (PATCH == 3) usleep(1000);
  if (PATCH == 5) {
    Unlock(1);
    Lock(1);
  }
  sum = held + 3;
  Unlock(1);
#endif
  return nothing;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, Deposit, 0);
  pthread_create(&threads[1], 0, Interest, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  if (PATCH == 6) return 0;
  return sum == 13 ? 0 : 1;
}
