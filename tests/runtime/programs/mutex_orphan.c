// A thread ends while it holds an ordinary mutex: nobody gets it ever again.
//
// EXPECT: deadlock
// TEXT:   held by main/1, which has ended

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* abandon(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, abandon, 0);
  pthread_join(thread, 0);
  return pthread_mutex_lock(&mutex);
}
