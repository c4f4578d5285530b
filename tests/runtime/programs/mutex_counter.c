// Three threads count under one mutex: nothing can go wrong.
//
// EXPECT: ended(0)

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void* count(void* unused) {
  (void)unused;
  for (int i = 0; i < 20; ++i) {
    pthread_mutex_lock(&mutex);
    ++counter;
    pthread_mutex_unlock(&mutex);
  }
  return (void*)7;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, count, 0);
  for (int i = 0; i < 3; ++i) {
    void* result;
    pthread_join(threads[i], &result);
    if (result != (void*)7) return 2;
  }
  return counter == 60 ? 0 : 1;
}
