// Spinlocks: exclusion, trylock in a loop, and what glibc returns.
//
// EXPECT: ended(0)
// EVENTS: lock trylock unlock success init destroy woken-by-unlock
// PLAIN:  0

#include <errno.h>
#include <pthread.h>
#include <sched.h>

#include "verify.h"

static pthread_spinlock_t lock;
static int counter;

static void* count(void* unused) {
  (void)unused;
  for (int i = 0; i < 5; ++i) {
    VERIFY(pthread_spin_lock(&lock) == 0);
    ++counter;
    VERIFY(pthread_spin_unlock(&lock) == 0);
    while (pthread_spin_trylock(&lock) != 0) sched_yield();
    ++counter;
    VERIFY(pthread_spin_unlock(&lock) == 0);
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  VERIFY(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, count, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  VERIFY(counter == 20);
  VERIFY(pthread_spin_lock(&lock) == 0);
  VERIFY(pthread_spin_trylock(&lock) == EBUSY);
  VERIFY(pthread_spin_unlock(&lock) == 0);
  VERIFY(pthread_spin_destroy(&lock) == 0);
  VERIFY(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
  VERIFY(pthread_spin_trylock(&lock) == 0);
  return 0;
}
