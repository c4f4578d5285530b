// Two threads wait on one condition variable, each with a mutex of its own.
//
// EXPECT: ended(0) ended(0)+misuse
// TEXT:   with another mutex than others do

#include <pthread.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER,
                                     PTHREAD_MUTEX_INITIALIZER};
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
    pthread_create(&threads[i], 0, wait_for_it, &mutexes[i]);
  }
  for (int i = 0; i < 2; ++i) pthread_mutex_lock(&mutexes[i]);
  done = 1;
  pthread_cond_broadcast(&changed);
  for (int i = 0; i < 2; ++i) pthread_mutex_unlock(&mutexes[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
