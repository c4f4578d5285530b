// A lock made of a futex word (0 free, 1 taken, 2 taken and waited for), in the
// manner of Drepper's "Futexes are tricky", mutex 2; plus a timed wait,
// bitsets, requeueing and wakes that change a word.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_uint word, gate_a, gate_b, parked;
static atomic_uint gate_c, gate_d = 5;
static int counter;

static long futex(atomic_uint* at, int op, unsigned value, const void* timeout,
                  atomic_uint* at2, unsigned value3) {
  return syscall(SYS_futex, at, op, value, timeout, at2, value3);
}

static void lock(void) {
  unsigned seen = 0;
  if (atomic_compare_exchange_strong(&word, &seen, 1)) return;
  if (seen != 2) seen = atomic_exchange(&word, 2);
  while (seen != 0) {
    futex(&word, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0);
    seen = atomic_exchange(&word, 2);
  }
}

static void unlock(void) {
  if (atomic_fetch_sub(&word, 1) != 1) {
    atomic_store(&word, 0);
    futex(&word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
  }
}

static void* count(void* unused) {
  (void)unused;
  for (int i = 0; i < 5; ++i) {
    lock();
    const int seen = counter;
    sched_yield();
    counter = seen + 1;
    unlock();
  }
  return 0;
}

static void* park(void* bit) {
  atomic_fetch_add(&parked, 1);
  futex(&parked, FUTEX_WAKE_PRIVATE, INT_MAX, 0, 0, 0);
  long result;
  do {
    result = futex(&gate_a, FUTEX_WAIT_BITSET_PRIVATE, 0, 0, 0,
                   (unsigned)(uintptr_t)bit);
  } while (result != 0 && errno == EINTR);
  return 0;
}

// Adds 1 to a word, and wakes those who wait for that or for another word.
static void* wake_op(void* unused) {
  futex(&gate_c, FUTEX_WAKE_OP_PRIVATE, 1, (void*)1, &gate_d,
        FUTEX_OP(FUTEX_OP_ADD, 1, FUTEX_OP_CMP_EQ, 5));
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, count, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  if (counter != 15) return 1;

  const struct timespec millisecond = {.tv_sec = 0, .tv_nsec = 1000000};
  if (futex(&gate_a, FUTEX_WAIT_PRIVATE, 0, &millisecond, 0, 0) != -1) return 2;
  if (errno != ETIMEDOUT) return 3;
  if (futex(&gate_a, FUTEX_WAIT_PRIVATE, 7, 0, 0, 0) != -1) return 4;
  if (errno != EAGAIN) return 5;
  if (futex(&gate_a, FUTEX_WAIT_BITSET_PRIVATE, 0, 0, 0, 0) != -1) return 6;
  if (errno != EINVAL) return 7;

  pthread_create(&threads[0], 0, wake_op, 0);
  while (atomic_load(&gate_d) == 5) {
    futex(&gate_d, FUTEX_WAIT_PRIVATE, 5, 0, 0, 0);
  }
  if (atomic_load(&gate_d) != 6) return 10;
  pthread_join(threads[0], 0);

  for (intptr_t i = 0; i < 3; ++i) {
    pthread_create(&threads[i], 0, park, (void*)((intptr_t)1 << i));
  }
  for (unsigned seen; (seen = atomic_load(&parked)) != 3;) {
    futex(&parked, FUTEX_WAIT_PRIVATE, seen, 0, 0, 0);
  }
  // All are about to wait or do already; those of bit 2 are woken first.
  while (futex(&gate_a, FUTEX_WAKE_BITSET_PRIVATE, INT_MAX, 0, 0, 2) != 1) {
    usleep(1000);
  }
  pthread_join(threads[1], 0);
  if (futex(&gate_a, FUTEX_CMP_REQUEUE_PRIVATE, 1, (void*)1, &gate_b, 9) !=
      -1) {
    return 8;
  }
  if (errno != EAGAIN) return 9;
  int handled = 0;
  while (handled != 2) {
    handled += futex(&gate_a, FUTEX_CMP_REQUEUE_PRIVATE, handled == 0, (void*)1,
                     &gate_b, 0);
    usleep(1000);
  }
  int woken = 0;
  while (woken != 1) woken += futex(&gate_b, FUTEX_WAKE_PRIVATE, 9, 0, 0, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[2], 0);
  return 0;
}
