// A division by zero in a thread, if it comes before the other one: a verdict
// with the signal's name, as for every fault.
//
// EXPECT: ended(0) signaled(8)
// TEXT:   main/1 got SIGFPE (arithmetic error) at address

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int parts, share;

static void* divide(void* unused) {
  pthread_mutex_lock(&mutex);
  share = 100 / parts;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, divide, 0);
  pthread_mutex_lock(&mutex);
  parts = 4;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
