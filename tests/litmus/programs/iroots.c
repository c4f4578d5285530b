// The six idioms of Maple, each as it can happen and as it cannot: too far
// apart, touched in between, or kept apart by a lock.

#include "threads.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int x;
static volatile int y;
static volatile int got;

static volatile unsigned way;

// More instructions than a window has.
static void Far(void) {
  for (unsigned i = 0; i < 1000; ++i) way = way * 31 + i;
}

static void* A(void* unused) {
  got = x;  // #a_read
  got = x;  // #a_again
  y = 1;    // #a_y
  y = 2;    // #a_y2
  Far();
  x = 3;  // #a_far
  return unused;
}

static void* B(void* unused) {
  x = 4;  // #b_x
  x = 5;  // #b_x2
  y = 6;  // #b_y
  return unused;
}

static void* C(void* unused) {
  y = 7;  // #c_y
  x = 8;  // #c_x
  Far();
  y = 9;  // #c_far
  return unused;
}

static void* D(void* unused) {
  pthread_mutex_lock(&m);
  got = x;  // #d_x
  y = 10;   // #d_y
  pthread_mutex_unlock(&m);
  return unused;
}

static void* E(void* unused) {
  pthread_mutex_lock(&m);
  y = 11;  // #e_y
  x = 12;  // #e_x
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  x = 13;  // #init
  RUN_THREADS(A, B, C, D, E);
  return 0;
}
