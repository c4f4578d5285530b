// quick_exit while another thread still runs.
//
// EXPECT: ended(9)

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void handler(void) { pthread_mutex_trylock(&mutex); }

static void* work(void* unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
}

int main(void) {
  pthread_t thread;
  at_quick_exit(handler);
  pthread_create(&thread, 0, work, 0);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  quick_exit(9);
}
