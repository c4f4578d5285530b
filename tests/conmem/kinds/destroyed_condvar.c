// EXPECT: dangling
// Told once more after the waiter may be gone.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static int ready;

static void* teller(void* unused) {
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
#ifndef FIXED
  pthread_cond_broadcast(&changed);  // for others
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_cond_init(&changed, NULL);
  pthread_create(&thread, NULL, teller, NULL);
#ifdef FIXED
  pthread_join(thread, NULL);
#endif
  pthread_mutex_lock(&lock);
  while (!ready) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  pthread_cond_destroy(&changed);
#ifndef FIXED
  pthread_join(thread, NULL);
#endif
  return 0;
}
