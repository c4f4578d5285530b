// Takes a lock as often as a byte of its program file's environment says: how
// many points there are depends on something that a schedule does not hold.

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* worker(void* unused) {
  const char* times = getenv("TIMES");
  for (int i = times == 0 ? 3 : atoi(times); i > 0; --i) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  worker(0);
  return pthread_join(thread, 0);
}
