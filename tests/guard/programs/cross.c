// Two threads that would wait for each other: who is second must not be stalled
// as long as the first is, whatever it was learnt to wait for.
#include "handshake.h"

static int left, right;
static atomic_int turn;

static void* one(void* unused) {
  (void)unused;
  while (is_bad && atomic_load(&turn) != 1) sched_yield();
  left = 1;
  right = 1;
  return NULL;
}

static void* two(void* unused) {
  (void)unused;
  if (is_bad) {
    right = 2;
    atomic_store(&turn, 1);
  }
  left = 2;
  right = 2;
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[2];
  const int bad = read_way(argc, argv);
  pthread_create(&threads[0], NULL, one, NULL);
  if (!bad) pthread_join(threads[0], NULL);
  pthread_create(&threads[1], NULL, two, NULL);
  if (bad) pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
