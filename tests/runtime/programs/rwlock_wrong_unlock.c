// Unlocks what is not locked, destroys what is, uses what is destroyed: glibc
// says 0 to all of it.
//
// EXPECT: ended(0)+misuse
// TEXT:   unlocks what is not locked
// EVENTS: misuse destroy

#include <pthread.h>

#include "verify.h"

int main(void) {
  pthread_rwlock_t lock;
  VERIFY(pthread_rwlock_init(&lock, 0) == 0);
  VERIFY(pthread_rwlock_unlock(&lock) == 0);
  VERIFY(pthread_rwlock_init(&lock, 0) == 0);
  VERIFY(pthread_rwlock_wrlock(&lock) == 0);
  VERIFY(pthread_rwlock_destroy(&lock) == 0);
  VERIFY(pthread_rwlock_unlock(&lock) == 0);
  VERIFY(pthread_rwlock_destroy(&lock) == 0);
  VERIFY(pthread_rwlock_rdlock(&lock) == 0);
  return 0;
}
