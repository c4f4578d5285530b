// Each thread takes its own lock, and the other's once both have one: they
// always wait for each other. FIXED: one lock at a time.

#include <pthread.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};
static pthread_barrier_t both;

static void* Take(void* own) {
  pthread_mutex_t* other = own == &locks[0] ? &locks[1] : &locks[0];
  pthread_mutex_lock(own);
  pthread_barrier_wait(&both);
#ifdef FIXED
  pthread_mutex_unlock(own);
#endif
  pthread_mutex_lock(other);
  pthread_mutex_unlock(other);
#ifndef FIXED
  pthread_mutex_unlock(own);
#endif
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_barrier_init(&both, 0, 2);
  pthread_create(&one, 0, Take, &locks[0]);
  pthread_create(&two, 0, Take, &locks[1]);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
