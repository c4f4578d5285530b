// Fails if the other thread is not done within a second, which is plenty: only
// a wait that ends by its time can show it.

#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void* work(void* argument) {
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_sec += 1;
  int error = 0;
  pthread_mutex_lock(&mutex);
  while (!done && error == 0) {
    error = pthread_cond_timedwait(&changed, &mutex, &soon);
  }
  const int late = !done;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return late;
}
