// The twin of mutex_orphan: the thread unlocks before it ends, on every way.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void unlock(void* held) { pthread_mutex_unlock(held); }

static void* leave_early(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  pthread_exit(0);
  pthread_cleanup_pop(1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, leave_early, 0);
  pthread_join(thread, 0);
  return pthread_mutex_lock(&mutex);
}
