// Two threads pass a box on through code that was not compiled for it
// (others.c), which synchronises by atomics of its own.
// RACES: none
// POSSIBLE: other_code.c

#include <pthread.h>
#include <sched.h>

#include "others.h"

static int box;
static int seen;

static void* Fill(void* nothing) {
  box = 5;
  others_raise();
  return nothing;
}

static void* Empty(void* nothing) {
  while (!others_raised()) sched_yield();
  seen = box;
  return nothing;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, Fill, 0);
  pthread_create(&threads[1], 0, Empty, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return seen == 5 ? 0 : 1;
}
