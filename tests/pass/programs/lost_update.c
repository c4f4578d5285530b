// Languages: c c++
//
// A counter that two threads increment 200 times each, and one alone 400
// times. Late instrumentation keeps it in a register and sees 4 accesses.

#include <pthread.h>
#include <stdio.h>

static int shared, own;

static void* adder(void* unused) {
  (void)unused;
  for (int i = 0; i < 200; ++i) {
    shared++;  // fires load x400, store x400
  }
  return 0;
}

int main(void) {
  pthread_t a, b;
  if (pthread_create(&a, 0, adder, 0) != 0) return 1;
  if (pthread_create(&b, 0, adder, 0) != 0) return 1;
  pthread_join(a, 0);  // fires load
  pthread_join(b, 0);  // fires load
  for (int i = 0; i < 400; ++i) {
    own++;  // fires load x400, store x400
  }
  printf("final %d\n", own);  // fires load=400, range-write/1~relaxed
  return own == 400 ? 0 : 1;  // fires load=400
}
