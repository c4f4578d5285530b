// The twin of rwlock_upgrade: gives read mode up first, then looks again.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int made;

static void* make(void* unused) {
  (void)unused;
  pthread_rwlock_rdlock(&lock);
  int missing = !made;
  pthread_rwlock_unlock(&lock);
  if (!missing) return 0;
  pthread_rwlock_wrlock(&lock);
  if (!made) made = 1;
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, make, 0);
  make(0);
  pthread_join(thread, 0);
  return made - 1;
}
