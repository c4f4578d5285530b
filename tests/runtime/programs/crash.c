// A null pointer is written through if the other thread was faster.
//
// EXPECT: ended(0) signaled(11)
// TEXT:   main/1

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;
static int* volatile pointer = &value;

static void* use(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  *pointer = 1;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, use, 0);
  pthread_mutex_lock(&mutex);
  pointer = 0;
  pthread_mutex_unlock(&mutex);
  return pthread_join(thread, 0);
}
