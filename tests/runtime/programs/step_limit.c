// Two threads that lock and unlock without end: the step limit ends them.
//
// EXPECT: cut
// TEXT:   the limit of 500 steps
// STEPS:  500

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* spin(void* unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, spin, 0);
  spin(0);
  return 0;
}
