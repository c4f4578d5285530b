// A lock made of FUTEX_LOCK_PI: its word holds the owner's number. What the
// kernel returns to those who hold it, do not, or wait in a circle; who gets it
// is a choice. And a condition variable of FUTEX_WAIT_REQUEUE_PI.
//
// EXPECT: ended(0)
// EVENTS: woken-by-futex timed-out
// PLAIN:  0

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "verify.h"

static atomic_uint lock_word, other_word, turn, waiting;
static int counter;

static long futex(atomic_uint* at, int op, unsigned value, const void* timeout,
                  atomic_uint* at2, unsigned value3) {
  const long result = syscall(SYS_futex, at, op | FUTEX_PRIVATE_FLAG, value,
                              timeout, at2, value3);
  return result == -1 ? -errno : result;
}

static void lock(atomic_uint* word) {
  unsigned expected = 0;
  if (atomic_compare_exchange_strong(word, &expected, gettid())) return;
  VERIFY(futex(word, FUTEX_LOCK_PI, 0, 0, 0, 0) == 0);
  VERIFY((atomic_load(word) & FUTEX_TID_MASK) == gettid());
}

static void unlock(atomic_uint* word) {
  unsigned expected = gettid();
  if (atomic_compare_exchange_strong(word, &expected, 0)) return;
  VERIFY(futex(word, FUTEX_UNLOCK_PI, 0, 0, 0, 0) == 0);
}

static void* count(void* unused) {
  for (int i = 0; i < 4; ++i) {
    lock(&lock_word);
    const int seen = counter;
    sched_yield();
    counter = seen + 1;
    unlock(&lock_word);
  }
  return unused;
}

static void* stranger(void* unused) {
  const struct timespec past = {.tv_sec = 1};
  VERIFY(futex(&lock_word, FUTEX_TRYLOCK_PI, 0, 0, 0, 0) == -EAGAIN);
  VERIFY(futex(&lock_word, FUTEX_LOCK_PI, 0, &past, 0, 0) == -ETIMEDOUT);
  VERIFY(futex(&lock_word, FUTEX_UNLOCK_PI, 0, 0, 0, 0) == -EPERM);
  return unused;
}

// Takes the other one, then waits for the first.
static void* closes(void* refused) {
  lock(&other_word);
  atomic_store(&waiting, 1);
  const long result = futex(&lock_word, FUTEX_LOCK_PI, 0, 0, 0, 0);
  VERIFY(result == 0 || result == -EDEADLK);
  if (result == 0) {
    unlock(&lock_word);
  } else {
    ++*(int*)refused;
  }
  unlock(&other_word);
  return 0;
}

static void* waits(void* unused) {
  lock(&lock_word);
  const unsigned seen = atomic_load(&turn);
  atomic_fetch_add(&waiting, 1);
  unlock(&lock_word);
  const long result =
      futex(&turn, FUTEX_WAIT_REQUEUE_PI, seen, 0, &lock_word, 0);
  if (result == -EAGAIN) return unused;
  VERIFY(result == 0);
  ++counter;
  unlock(&lock_word);
  return unused;
}

static void circle(void) {
  pthread_t thread;
  int refused = 0;
  atomic_store(&waiting, 0);
  lock(&lock_word);
  pthread_create(&thread, 0, closes, &refused);
  while (atomic_load(&waiting) == 0) sched_yield();
  const long result = futex(&other_word, FUTEX_LOCK_PI, 0, 0, 0, 0);
  if (result == -EDEADLK) ++refused;
  if (result == 0) unlock(&other_word);
  unlock(&lock_word);
  pthread_join(thread, 0);
  VERIFY(refused >= 1);  // the kernel may refuse both, if they come at once
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, count, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  VERIFY(counter == 12 && atomic_load(&lock_word) == 0);

  VERIFY(futex(&lock_word, FUTEX_TRYLOCK_PI, 0, 0, 0, 0) == 0);
  VERIFY(futex(&lock_word, FUTEX_LOCK_PI, 0, 0, 0, 0) == -EDEADLK);
  pthread_create(&threads[0], 0, stranger, 0);
  pthread_join(threads[0], 0);
  VERIFY(futex(&lock_word, FUTEX_UNLOCK_PI, 0, 0, 0, 0) == 0);
  VERIFY(atomic_load(&lock_word) == 0);
  circle();

  atomic_store(&waiting, 0);
  counter = 0;
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, waits, 0);
  while (atomic_load(&waiting) < 2) sched_yield();
  lock(&lock_word);
  int woken = 0;
  while (woken < 2) {
    const long n = futex(&turn, FUTEX_CMP_REQUEUE_PI, 1, (void*)INT_MAX,
                         &lock_word, atomic_load(&turn));
    VERIFY(n >= 0);
    woken += n;
    sched_yield();
  }
  unlock(&lock_word);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  VERIFY(counter == 2 && atomic_load(&lock_word) == 0);
  return 0;
}
