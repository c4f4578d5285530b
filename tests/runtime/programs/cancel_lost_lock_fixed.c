// cancel_lost_lock.c with a cleanup handler.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void* waits(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push((void (*)(void*))pthread_mutex_unlock, &mutex);
  pthread_cond_wait(&cond, &mutex);
  pthread_cleanup_pop(1);
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
