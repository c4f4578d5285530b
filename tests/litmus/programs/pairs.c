// Two threads write one variable, a third reads it twice; one comes a long way.

#include "threads.h"

static int x;
static int own[3];

static void* A(void* unused) {
  x = 1;  // #a
  return unused;
}

static void* B(void* unused) {
  x = 2;  // #b
  return unused;
}

static void* C(void* unused) {
  for (int i = 0; i < 20; ++i) ++own[0];
  own[1] = x;  // #c1
  own[2] = x;  // #c2
  return unused;
}

int main(void) {
  RUN_THREADS(A, B, C);
  return 0;
}
