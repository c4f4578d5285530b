// The twin of cond_which_waiter: all are woken, and each looks for itself.
//
// EXPECT: ended(0)
// EVENTS: broadcast
// PLAIN:  0

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int even;
static int odd;

static void* want_even(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  while (!even) pthread_cond_wait(&changed, &mutex);
  odd = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void* want_odd(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  while (!odd) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, want_even, 0);
  pthread_create(&threads[1], 0, want_odd, 0);
  pthread_mutex_lock(&mutex);
  even = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
