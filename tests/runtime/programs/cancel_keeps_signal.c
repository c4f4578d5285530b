// Of two waiters, one is cancelled and one signal is sent: the signal goes to
// somebody who returns from the wait, never to the one that leaves.
//
// EXPECT: ended(0)
// PLAIN:  0
// SEEDS:  48

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int waiting;

static void* waits(void* unused) {
  pthread_mutex_lock(&mutex);
  ++waiting;
  pthread_cond_signal(&ready);
  pthread_cleanup_push((void (*)(void*))pthread_mutex_unlock, &mutex);
  pthread_cond_wait(&cond, &mutex);
  pthread_cleanup_pop(1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  void *from_a, *from_b;
  pthread_create(&a, 0, waits, 0);
  pthread_create(&b, 0, waits, 0);
  pthread_mutex_lock(&mutex);
  while (waiting != 2) pthread_cond_wait(&ready, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_cancel(a);
  pthread_cond_signal(&cond);
  pthread_join(a, &from_a);
  if (from_a != PTHREAD_CANCELED) pthread_cancel(b);
  pthread_join(b, &from_b);
  return (from_a == PTHREAD_CANCELED) != (from_b == PTHREAD_CANCELED) ? 0 : 1;
}
