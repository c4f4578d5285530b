// Two threads join each other, which glibc does not notice.
//
// EXPECT: deadlock
// TEXT:   main waits for the end of main/1; main/1 waits for the end of main
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
  return pthread_join(thread, 0);
}
