// One memfd mapped twice, written through both by threads, sealed, remapped.
// FLAGS: -O2

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "want.h"

enum { kSize = 8192, kThreads = 3, kTimes = 20 };

struct shared {
  atomic_int sum;
  pthread_mutex_t mutex;
  int guarded;
};

static struct shared* views[2];

static void* body(void* number) {
  struct shared* shared = views[(long)number % 2];
  for (int i = 0; i < kTimes; i++) {
    atomic_fetch_add(&shared->sum, 1);
    // The lock is the same one only if it is taken at the same address.
    pthread_mutex_lock(&views[0]->mutex);
    views[0]->guarded++;
    pthread_mutex_unlock(&views[0]->mutex);
  }
  return NULL;
}

int main(void) {
  const int fd = memfd_create("odd", MFD_ALLOW_SEALING | MFD_CLOEXEC);
  want(fd >= 0 && ftruncate(fd, kSize) == 0);
  for (int i = 0; i < 2; i++) {
    views[i] = mmap(NULL, kSize, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    want(views[i] != MAP_FAILED);
  }
  want(views[0] != views[1]);
  pthread_mutex_init(&views[0]->mutex, NULL);
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; i++) threads[i] = start(body, (void*)i);
  for (int i = 0; i < kThreads; i++) finish(threads[i]);
  printf("%d %d", atomic_load(&views[1]->sum), views[1]->guarded);
  want(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE) == -1 && errno == EBUSY);
  want(munmap(views[1], kSize) == 0);
  views[0] = mremap(views[0], kSize, 4 * kSize, MREMAP_MAYMOVE);
  want(views[0] != MAP_FAILED && views[0]->guarded == kThreads * kTimes);
  want(munmap(views[0], 4 * kSize) == 0);
  want(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW) == 0);
  want(write(fd, "x", 1) == -1 && errno == EPERM);
  want(ftruncate(fd, 2 * kSize) == -1);
  puts(" sealed");
  return 0;
}
