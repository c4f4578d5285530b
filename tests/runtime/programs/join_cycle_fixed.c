// join_cycle.c, with main leaving instead of waiting.
//
// EXPECT: ended(0)
// PLAIN:  0
// SEEDS:  8

#include <pthread.h>

static pthread_t main_thread;

static void* joins(void* unused) {
  pthread_join(main_thread, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  main_thread = pthread_self();
  pthread_create(&thread, 0, joins, 0);
  pthread_exit(0);
}
