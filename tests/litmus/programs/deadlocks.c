// As many threads as the argument says each take a lock and ask for the next
// one's. With a second argument, behind a gate that keeps all but one out.

#include <stdlib.h>

#include "threads.h"

static pthread_mutex_t locks[4] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int count;
static int gated;

static void* Philosopher(void* seat) {
  pthread_mutex_t* left = &locks[(size_t)seat];
  pthread_mutex_t* right = &locks[((size_t)seat + 1) % (size_t)count];
  if (gated) pthread_mutex_lock(&gate);
  pthread_mutex_lock(left);   // #take
  pthread_mutex_lock(right);  // #ask
  pthread_mutex_unlock(right);
  pthread_mutex_unlock(left);
  if (gated) pthread_mutex_unlock(&gate);
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[4];
  count = argc > 1 ? atoi(argv[1]) : 2;
  gated = argc > 2;
  for (size_t i = 0; i < (size_t)count; ++i) {
    pthread_create(&threads[i], NULL, Philosopher, (void*)i);
  }
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
  return 0;
}
