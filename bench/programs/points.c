// Threads that do nothing but touch one shared word: every access is a point.
//   points THREADS ROUNDS
#include <pthread.h>
#include <stdlib.h>

static volatile int word;
static long rounds;

static void* work(void* unused) {
  (void)unused;
  const long mine = rounds;  // read once: only `word` is touched in the loop
  for (long i = 0; i < mine; ++i) word = word + 1;
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[64];
  const int num_threads = argc > 1 ? atoi(argv[1]) : 2;
  rounds = argc > 2 ? atol(argv[2]) : 1000;
  for (int t = 0; t < num_threads; ++t) {
    pthread_create(&threads[t], NULL, work, NULL);
  }
  for (int t = 0; t < num_threads; ++t) pthread_join(threads[t], NULL);
  return 0;
}
