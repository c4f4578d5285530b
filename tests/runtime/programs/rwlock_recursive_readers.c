// Reading recursively under a lock that prefers writers: a writer who comes in
// between holds the second read off, and waits for the first.
//
// EXPECT: ended(0) deadlock
// TEXT:   wants to lock

#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t lock =
    PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

static void* write(void* unused) {
  (void)unused;
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, write, 0);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_join(thread, 0);
  return 0;
}
