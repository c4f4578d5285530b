// Threads that could crash, wait for each other, end wrong, or do no harm, each
// by a switch of its own; one after the other they end well.

#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
static int harmless;
static int late;
static int value;
static int* volatile pointer = &value;
static int differs;

static void* One(void* unused) {
  harmless = 1;
  const int first = late;
  const int second = late;
  if (first != second) differs = 1;
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&m);
  if (pointer != NULL) {
    value = *pointer;
  }
  return unused;
}

static void* Two(void* unused) {
  harmless = 2;
  late = 1;
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&n);
  pointer = NULL;
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, One, NULL);
  pthread_create(&two, NULL, Two, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return differs;
}
