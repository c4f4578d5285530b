// A thread ends with a robust mutex that other processes may share: the next
// one is told, whoever carries the threads.
//
// EXPECT: ended(0)
// PLAIN:  0
// REPEATS: no
// UNCONTROLLED: process-shared 3

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>

#include "verify.h"

static void* leave(void* mutex) {
  VERIFY(pthread_mutex_lock(mutex) == 0);
  return 0;
}

int main(void) {
  pthread_mutex_t* mutex =
      mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(mutex, &attributes);
  pthread_t thread;
  pthread_create(&thread, 0, leave, mutex);
  pthread_join(thread, 0);
  VERIFY(pthread_mutex_lock(mutex) == EOWNERDEAD);
  VERIFY(pthread_mutex_consistent(mutex) == 0);
  VERIFY(pthread_mutex_unlock(mutex) == 0);
  VERIFY(pthread_mutex_lock(mutex) == 0);
  VERIFY(pthread_mutex_unlock(mutex) == 0);
  return 0;
}
