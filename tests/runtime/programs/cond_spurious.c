// A wait without a loop around it takes every return for a signal.
//
// EXPECT: ended(0) ended(1)
// FLAGS:  spurious
// EVENTS: spurious

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int value;

static void* set(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  value = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, 0, set, 0);
  pthread_cond_wait(&changed, &mutex);
  int seen = value;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return seen == 1 ? 0 : 1;
}
