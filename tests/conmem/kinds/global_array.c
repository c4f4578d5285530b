// EXPECT: overflow
// A handler is registered in the last place of a global array, twice; behind it
// lies what everybody calls.
#include <pthread.h>
#include <stdio.h>

enum { kMost = 3 };

static void nothing(void) {}

static struct {
  void* handlers[kMost];
} registered;
static void (*volatile report)(void) = nothing;
static volatile unsigned used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(void* handler) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  if (used < kMost) {
    registered.handlers[used] = handler;
    used = used + 1;
  }
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
}

static void* run(void* argument) {
  add(argument);
  return NULL;
}

int main(void) {
  int numbers[2] = {7, 8};
  pthread_t threads[2];
  while (used < kMost - 1) add(&numbers[0]);
  for (int i = 0; i < 2; ++i) {
    pthread_create(&threads[i], NULL, run, &numbers[i]);
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  report();
  if (used > kMost) return 1;  // a place that is none was used
  puts("ok");
  return 0;
}
