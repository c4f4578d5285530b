// Destroys a condition variable while another thread may wait on it. glibc
// waits for the waiter then, who waits for a signal; or the waiter comes later,
// to what is destroyed.
//
// EXPECT: ended(0) deadlock+misuse ended(0)+misuse
// TEXT:   destroys, and waits for those who wait at
// TEXT:   uses what was destroyed

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void* wait_for_it(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  if (!done) pthread_cond_wait(&changed, &mutex);
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, wait_for_it, 0);
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_mutex_unlock(&mutex);
  pthread_cond_destroy(&changed);
  pthread_join(thread, 0);
  return 0;
}
