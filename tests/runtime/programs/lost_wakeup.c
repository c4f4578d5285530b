// The signal may come before the wait, and nobody remembers it.
//
// EXPECT: ended(0) deadlock
// TEXT:   waits for a signal on

#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

static void* consumer(void* unused) {
  (void)unused;
  pthread_mutex_lock(&m);
  pthread_cond_wait(&ready, &m);
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, consumer, 0);
  pthread_mutex_lock(&m);
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&m);
  return pthread_join(thread, 0);
}
