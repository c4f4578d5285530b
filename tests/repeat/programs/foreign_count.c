// A thread that counts for ever in code that nobody has instrumented, with
// other registers in every round: another one ends the program.
//
// BUILD: plainly
// RUNS: --timeout 20
// SEEDS: 4

#include <pthread.h>
#include <stdlib.h>

static void* counts(void* argument) {
  for (unsigned long rounds = 0;; ++rounds)
    __asm__ volatile("" : : "r"(rounds));
  return argument;
}

static void* ends(void* argument) {
  exit(0);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, counts, 0);
  pthread_create(&threads[1], 0, ends, 0);
  pthread_join(threads[0], 0);
  return 0;
}
