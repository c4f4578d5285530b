// A thread spins in code that nobody instrumented, without a system call: the
// execution is cut, and the place is named; by the time limit, or before.
//
// EXPECT: cut
// TEXT: was running
// SEEDS: 1
// TEXT: in spin_outside+0x
// MILLISECONDS: 1600
// REPEATS: no

#include <pthread.h>

volatile int go_on = 1;

void spin_for_ever(void) {
  while (go_on) {
  }
}

static void* run(void* argument) {
  spin_for_ever();
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  return 0;
}
