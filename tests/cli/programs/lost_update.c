// Two threads count without a lock, and a third looks at something harmless.
// Exits with 1 when an update was lost.

#include <pthread.h>

static int count;
static int looked;

static void* Increment(void* unused) {
  const int seen = count;
  count = seen + 1;
  return unused;
}

static void* Look(void* unused) {
  looked = 1;
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, Increment, NULL);
  pthread_create(&threads[1], NULL, Increment, NULL);
  pthread_create(&threads[2], NULL, Look, NULL);
  const int before = looked;
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return count == 2 && before <= 1 ? 0 : 1;
}
