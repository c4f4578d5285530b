// A detached thread sleeps for a minute and would then call it a hang. Time
// does not pass for it while others work, and main returns first.
//
// EXPECT: ended(0)

#include <pthread.h>
#include <unistd.h>

#include "verify.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* watch(void* unused) {
  pthread_detach(pthread_self());
  sleep(60);
  _exit(3);
}

static void* work(void* unused) {
  for (int i = 0; i < 5; ++i) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    usleep(1000);
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  pthread_create(&thread, 0, watch, 0);
  pthread_create(&thread, 0, work, 0);
  work(0);
  pthread_join(thread, 0);
  clock_gettime(CLOCK_MONOTONIC, &end);
  VERIFY(end.tv_sec - begin.tv_sec < 50);
  return 0;
}
