// More threads than an execution may have: it is cut, and says why.
//
// EXPECT: cut
// TEXT:   the program has created more than 8192 threads
// SEEDS:  1

#include <pthread.h>

static void* idle(void* unused) { return unused; }

int main(void) {
  for (;;) {
    pthread_t thread;
    if (pthread_create(&thread, 0, idle, 0) != 0) return 1;
    if (pthread_join(thread, 0) != 0) return 2;
  }
}
