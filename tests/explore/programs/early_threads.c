// A constructor leaves a thread behind.

#include <pthread.h>

static pthread_t thread;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* Run(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

__attribute__((constructor)) static void Prepare(void) {
  pthread_create(&thread, 0, Run, 0);
}

int main(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return pthread_join(thread, 0);
}
