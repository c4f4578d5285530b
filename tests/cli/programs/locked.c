// Two threads count under a lock, in many small steps.

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counts[10];

static void* Increment(void* unused) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < 10; ++i) ++counts[i];
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i)
    pthread_create(&threads[i], NULL, Increment, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return counts[0] == 2 ? 0 : 1;
}
