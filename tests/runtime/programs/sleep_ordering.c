// A sleep taken for synchronisation: the other thread may sleep longer.
//
// EXPECT: ended(0) ended(1)

#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void* prepare(void* unused) {
  usleep(1000);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, prepare, 0);
  usleep(1000);  // "long enough"
  pthread_mutex_lock(&mutex);
  const int seen = ready;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return seen ? 0 : 1;
}
