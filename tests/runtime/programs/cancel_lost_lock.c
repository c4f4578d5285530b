// A thread is cancelled while it waits with a mutex locked, and has no handler
// that unlocks it: whoever locks it next waits for a thread that has ended.
//
// EXPECT: ended(0) deadlock
// TEXT:   which has ended

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void* waits(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&cond, &mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waits, 0);
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&mutex);
  pthread_cancel(thread);
  pthread_join(thread, 0);
  pthread_mutex_lock(&mutex);
  return 0;
}
