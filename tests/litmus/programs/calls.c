// One place, reached by different calls, in different activations, several
// times, and near or far from another.

#include <stdlib.h>

#include "threads.h"

static volatile int x;
static volatile int y;
static int own;

static __attribute__((noinline)) void Put(int value) {
  x = value;  // #put
}
static __attribute__((noinline)) void Once(void) {
  Put(1);  // #once
}
static __attribute__((noinline)) void Twice(void) {
  Put(2);  // #twice
}
static void* Calls(void* unused) {
  Once();   // #calls_once
  Twice();  // #calls_twice
  return unused;
}

static __attribute__((noinline)) void Both(void) {
  x = 3;  // #unit_x
  y = 4;  // #unit_y
}
static void* Units(void* unused) {
  for (int i = 0; i < 2; ++i) {
    Both();
    ++own;
  }
  return unused;
}

static void* Far(void* unused) {
  x = 5;  // #far_x
  for (int i = 0; i < 5000; ++i) ++own;
  y = 6;  // #far_y
  return unused;
}

static void* Loop(void* unused) {
  for (int i = 0; i < 5; ++i) {
    x = i;  // #loop
  }
  return unused;
}

static void* Reader(void* unused) {
  int sum = x;  // #read_x
  sum += y;     // #read_y
  own = sum;
  return unused;
}

int main(int argc, char** argv) {
  switch (argc > 1 ? atoi(argv[1]) : 1) {
    case 1:
      RUN_THREADS(Calls, Reader);
      break;
    case 2:
      RUN_THREADS(Units, Reader);
      break;
    case 3:
      RUN_THREADS(Far, Reader);
      break;
    default:
      RUN_THREADS(Loop, Reader);
      break;
  }
  return 0;
}
