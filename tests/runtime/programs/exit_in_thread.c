// A thread calls exit() while others wait: handlers run, in reverse order, and
// the process is gone with that code.
//
// EXPECT: ended(7)
// PLAIN:  7

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int handlers;

static void last(void) {
  if (handlers != 1) _exit(3);
}

static void first(void) {
  pthread_mutex_lock(&mutex);
  ++handlers;
  pthread_mutex_unlock(&mutex);
}

static void* waits(void* unused) {
  pthread_mutex_lock(&mutex);
  for (;;) pthread_cond_wait(&never, &mutex);
  return unused;
}

static void* ends_all(void* unused) {
  (void)unused;
  exit(7);
}

int main(void) {
  pthread_t a, b;
  atexit(last);
  atexit(first);
  pthread_create(&a, 0, waits, 0);
  pthread_create(&b, 0, ends_all, 0);
  pthread_join(a, 0);
  return 1;
}
