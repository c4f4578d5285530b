// Steps that are reached only by certain orders of what comes before.

#include <stdlib.h>

#include "threads.h"

static volatile int first;
static volatile int second;
static volatile int third;
static int x;
static int got;

// Reached when it reads between two writes of A.
static void* A(void* unused) {
  first = 1;
  second = 1;
  x = 1;  // #a
  return unused;
}
static void* B(void* unused) {
  if (first && !second) {
    got = x;  // #b
  }
  return unused;
}

// Needs both orders, and a third thread.
static void* C(void* unused) {
  third = 1;
  return unused;
}
static void* D(void* unused) {
  if (first) {
    if (!third) {
      got = x;  // #d
    }
  }
  return unused;
}

// Cannot be: second is written behind first.
static void* E(void* unused) {
  if (second && !first) {
    got = x;  // #e
  }
  return unused;
}

// Tests, and reads again what it tested: only what it saw leads there.
static void* F(void* unused) {
  for (int i = 0; i < 6; ++i) {
    first = i % 3;  // #set
  }
  return unused;
}
static void* G(void* unused) {
  if (first) {    // #test
    got = first;  // #again
  }
  return unused;
}
static void* H(void* unused) {
  if (!first) {   // #test_not
    got = first;  // #again_not
  }
  return unused;
}

int main(int argc, char** argv) {
  switch (argc > 1 ? atoi(argv[1]) : 1) {
    case 1:
      RUN_THREADS(A, B);
      break;
    case 2:
      RUN_THREADS(A, C, D);
      break;
    case 3:
      RUN_THREADS(B, A);
      break;
    case 5:
      RUN_THREADS(F, G);
      break;
    case 6:
      first = 1;
      RUN_THREADS(F, H);
      break;
    default:
      RUN_THREADS(A, E);
      break;
  }
  return 0;
}
