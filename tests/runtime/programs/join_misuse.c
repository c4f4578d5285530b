// Joining a detached thread, and detaching twice: errors, as glibc gives them,
// and a report of the first, since POSIX leaves it undefined.
//
// EXPECT: ended(0)+misuse
// PLAIN:  0
// TEXT:   detaches a thread that is detached already

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* waits(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, 0, waits, 0);
  if (pthread_tryjoin_np(thread, 0) != EBUSY) return 3;
  if (pthread_detach(thread) != 0) return 4;
  if (pthread_detach(thread) != EINVAL) return 5;
  if (pthread_join(thread, 0) != EINVAL) return 6;
  pthread_mutex_unlock(&mutex);
  return 0;
}
