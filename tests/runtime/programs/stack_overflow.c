// A thread that needs more stack than it has: the verdict says so.
//
// EXPECT: signaled(11)
// TEXT:   main/1 got SIGSEGV (stack overflow
// SEEDS:  2

#include <pthread.h>

static volatile int sink;

static int deeper(int depth) {
  volatile char frame[4096];
  frame[depth % 4096] = 1;
  return deeper(depth + 1) + frame[0];
}

static void* overflow(void* unused) {
  sink = deeper(0);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, overflow, 0);
  pthread_join(thread, 0);
  return 0;
}
