// A window between two critical sections, and a section without one.

#include "threads.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
static int x;
static int y;
static int got;

static void* A(void* unused) {
  pthread_mutex_lock(&m);  // #a_lock
  got = x;                 // #a_check
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  x = 1;  // #a_act
  pthread_mutex_unlock(&m);
  return unused;
}

static void* B(void* unused) {
  pthread_mutex_lock(&m);  // #b_lock
  x = 2;                   // #b
  pthread_mutex_unlock(&m);
  return unused;
}

static void* C(void* unused) {
  pthread_mutex_lock(&m);  // #c_lock
  y = x;                   // #c_check
  x = 3;                   // #c_act
  pthread_mutex_unlock(&m);
  return unused;
}

static void* D(void* unused) {
  pthread_mutex_lock(&n);
  x = 4;  // #d
  pthread_mutex_unlock(&n);
  return unused;
}

int main(void) {
  RUN_THREADS(A, B, C, D);
  return 0;
}
