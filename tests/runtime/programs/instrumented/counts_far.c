// Loops over numbers, up to a bound that all threads share, while the others
// wait: it reads the same again and again and writes nothing, but it ends.
//
// EXPECT: ended(0)
// SEEDS:  1

#include <pthread.h>

enum { kThreads = 2 };
static long bound = 40000, step = 1;
static unsigned long sums[kThreads];

static long bound_of_all(void) { return bound; }

// By itself: a loop that counts up to what it reads.
static unsigned long direct(void) {
  unsigned long sum = 1;
  for (long i = 0; i < bound; i += step) sum = sum * 31 + (unsigned long)i;
  return sum;
}

// By the thread's state, which never comes back to what it was.
static unsigned long by_call(void) {
  unsigned long sum = 1;
  for (long i = 0; i < bound_of_all(); ++i) sum = sum * 31 + (unsigned long)i;
  return sum;
}

static void* work(void* place) {
  *(unsigned long*)place = direct() + by_call();
  return 0;
}

int main(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) {
    pthread_create(&threads[i], 0, work, &sums[i]);
  }
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], 0);
  return sums[0] != sums[1];
}
