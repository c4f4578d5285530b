// An assertion fails in the schedules where the other thread was faster.
//
// EXPECT: ended(0) signaled(6)
// TEXT:   main/1 got SIGABRT (abort): assertion value == 0 failed at

#undef NDEBUG
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void* check(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  assert(value == 0);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, check, 0);
  pthread_mutex_lock(&mutex);
  value = 1;
  pthread_mutex_unlock(&mutex);
  return pthread_join(thread, 0);
}
