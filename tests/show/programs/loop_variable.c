// Threads get the address of the variable that counts them. Fix: one of its own
// for each, in main.
//
// FUNCTIONS: Mark main

#include <pthread.h>

enum { kThreads = 3 };

static int marked[kThreads];

static void* Mark(void* argument) {
  const int* number = argument;
  const int mine = *number;  // SHOWS
  if (mine < kThreads) marked[mine] = 1;
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) {  // SHOWS
    if (pthread_create(&threads[i], NULL, Mark, &i) != 0) return 2;
  }
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < kThreads; ++i) {
    if (marked[i] == 0) return 1;
  }
  return 0;
}
