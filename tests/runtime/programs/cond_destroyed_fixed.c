// The twin of cond_destroyed: all are woken before it is destroyed, and its
// memory is freed at once, before they have the mutex back.
//
// EXPECT: ended(0)
// EVENTS: broadcast destroy free

#include <pthread.h>

#include "verify.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t* changed;
static int waiting;

static void* wait_for_it(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  ++waiting;
  pthread_cond_wait(changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  changed = malloc(sizeof(*changed));
  pthread_cond_init(changed, 0);
  for (int i = 0; i < 2; ++i) {
    pthread_create(&threads[i], 0, wait_for_it, 0);
  }
  for (;;) {
    pthread_mutex_lock(&mutex);
    if (waiting == 2) break;
    pthread_mutex_unlock(&mutex);
    sched_yield();
  }
  pthread_cond_broadcast(changed);
  VERIFY(pthread_cond_destroy(changed) == 0);
  free(changed);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
