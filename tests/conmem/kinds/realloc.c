// EXPECT: dangling
// A table that grows while another thread looks into the old one.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int* table;
static int size = 4;

static void* reader(void* unused) {
  pthread_mutex_lock(&lock);
  int* seen = table;
#ifndef FIXED
  pthread_mutex_unlock(&lock);
#endif
  volatile int first = seen[0];
  (void)first;
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return unused;
}

static void* grower(void* unused) {
  pthread_mutex_lock(&lock);
  int* old = table;
  table = NULL;
  table = realloc(old, 64 * sizeof *table);
  size = 64;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  table = calloc((size_t)size, sizeof *table);
  pthread_create(&threads[0], NULL, reader, NULL);
  pthread_create(&threads[1], NULL, grower, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  free(table);
  return 0;
}
