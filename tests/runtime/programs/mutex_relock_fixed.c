// The twin of mutex_relock: the inner function expects the lock to be held.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void update_locked(void) { ++value; }

int main(void) {
  pthread_mutex_lock(&mutex);
  update_locked();
  pthread_mutex_unlock(&mutex);
  return value - 1;
}
