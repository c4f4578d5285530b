// The twin of cond_two_mutexes: both wait with the same mutex.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void* wait_for_it(void* mutex) {
  pthread_mutex_lock(mutex);
  while (!done) pthread_cond_wait(&changed, mutex);
  pthread_mutex_unlock(mutex);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    pthread_create(&threads[i], 0, wait_for_it, &mutex);
  }
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
