// Two hundred threads alive at once.
//
// EXPECT: ended(0)
// PLAIN:  0
// SEEDS:  4

#include <pthread.h>

enum { kThreads = 200 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all = PTHREAD_COND_INITIALIZER;
static int present;

static void* meet(void* unused) {
  pthread_mutex_lock(&mutex);
  if (++present == kThreads) pthread_cond_broadcast(&all);
  while (present != kThreads) pthread_cond_wait(&all, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) {
    if (pthread_create(&threads[i], 0, meet, 0) != 0) return 1;
  }
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], 0);
  return present == kThreads ? 0 : 2;
}
