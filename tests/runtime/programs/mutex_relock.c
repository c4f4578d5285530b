// A normal mutex is locked again by its owner, who waits for itself.
//
// EXPECT: deadlock+misuse
// TEXT:   which it holds itself

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void update(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pthread_mutex_lock(&mutex);
  update();
  pthread_mutex_unlock(&mutex);
  return 0;
}
