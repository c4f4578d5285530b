// One order among many threads: the thread made first reads last.
//
// N threads (the first argument, or 100) count themselves. The first one uses
// what it read only after all others have counted: it fails if it comes last. A
// random walk does that about never; with priorities, once in N executions.

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int counted;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int last;

static void* count(void* number) {
  pthread_mutex_lock(&m);
  ++counted;
  last = (int)(long)number;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 100;
  pthread_t* threads = calloc((size_t)n, sizeof *threads);
  for (long i = 0; i < n; ++i) pthread_create(&threads[i], 0, count, (void*)i);
  for (int i = 0; i < n; ++i) pthread_join(threads[i], 0);
  assert(last != 0);
  free(threads);
  return 0;
}
