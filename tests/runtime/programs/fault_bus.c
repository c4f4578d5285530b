// A file is mapped, and cut short by another thread before it is read there.
//
// EXPECT: ended(0) signaled(7)
// TEXT:   main got SIGBUS (bad memory access) at address

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "verify.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int file;

static void* cut(void* unused) {
  pthread_mutex_lock(&mutex);
  VERIFY(ftruncate(file, 0) == 0);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  file = memfd_create("mapped", 0);
  VERIFY(file >= 0 && ftruncate(file, 4096) == 0);
  const volatile char* bytes = mmap(0, 4096, PROT_READ, MAP_SHARED, file, 0);
  VERIFY(bytes != MAP_FAILED);
  pthread_create(&thread, 0, cut, 0);
  pthread_mutex_lock(&mutex);
  const char first = bytes[0];
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return first;
}
