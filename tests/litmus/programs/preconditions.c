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
    default:
      RUN_THREADS(A, E);
      break;
  }
  return 0;
}
