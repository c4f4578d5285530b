// A reader asks for write mode without giving read mode up: it waits for
// itself.
//
// EXPECT: deadlock+misuse
// TEXT:   which it holds itself

#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_wrlock(&lock);
  return 0;
}
