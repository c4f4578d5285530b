// A spinlock is unlocked by one who does not hold it, used after it was
// destroyed, and locked twice.
//
// EXPECT: deadlock+misuse
// TEXT:   which it holds itself
// EVENTS: misuse

#include <pthread.h>

#include "verify.h"

static pthread_spinlock_t lock;

static void* stranger(void* unused) {
  (void)unused;
  VERIFY(pthread_spin_unlock(&lock) == 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_lock(&lock);
  pthread_create(&thread, 0, stranger, 0);
  pthread_join(thread, 0);
  VERIFY(pthread_spin_lock(&lock) == 0);
  VERIFY(pthread_spin_destroy(&lock) == 0);
  VERIFY(pthread_spin_lock(&lock) == 0);
  pthread_spin_lock(&lock);
  return 0;
}
