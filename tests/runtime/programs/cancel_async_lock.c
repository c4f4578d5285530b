// A thread that may be cancelled at any moment is cancelled before it gives its
// mutex back, though nothing happens in between.
//
// EXPECT: ended(0) deadlock
// TEXT:   which has ended

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* locks(void* unused) {
  (void)unused;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, locks, 0);
  pthread_cancel(thread);
  pthread_join(thread, 0);
  pthread_mutex_lock(&mutex);
  return 0;
}
