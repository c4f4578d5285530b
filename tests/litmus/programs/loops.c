// Sections that keep each other out, again and again.

#include "threads.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static int got;

static void* A(void* unused) {
  for (int i = 0; i < 3000; ++i) {
    pthread_mutex_lock(&m);  // #lock
    got = x;                 // #check
    x = got + 1;             // #act
    pthread_mutex_unlock(&m);
  }
  return unused;
}

static void* B(void* unused) {
  for (int i = 0; i < 3000; ++i) {
    pthread_mutex_lock(&m);
    x = 0;  // #reset
    pthread_mutex_unlock(&m);
  }
  return unused;
}

int main(void) {
  RUN_THREADS(A, B);
  return 0;
}
