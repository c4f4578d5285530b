// Main returns while another thread works: how far that came depends on the
// schedule, and the process ends either way.
//
// EXPECT: ended(0) ended(1)

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void* work(void* unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_detach(thread);
  pthread_mutex_lock(&mutex);
  const int seen = done;
  pthread_mutex_unlock(&mutex);
  return seen;
}
