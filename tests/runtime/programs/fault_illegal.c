// An instruction that is none, in a thread: the process ends by SIGILL.
//
// EXPECT: signaled(4)
// TEXT:   main/1 got SIGILL (illegal instruction) at address
// SEEDS:  4

#include <pthread.h>

static void* run(void* unused) { __builtin_trap(); }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  return 0;
}
