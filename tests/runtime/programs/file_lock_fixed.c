// The twin of file_lock: both take the mutex first.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* log_under_mutex(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  flockfile(stderr);
  fputs("one line\n", stderr);
  funlockfile(stderr);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, log_under_mutex, 0);
  log_under_mutex(0);
  pthread_join(thread, 0);
  return 0;
}
