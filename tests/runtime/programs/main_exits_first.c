// Main ends by the system call, and then another thread fails.
//
// EXPECT: signaled(6)
// SEEDS:  8

#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void* fail(void* unused) {
  for (int i = 0; i < 3; ++i) usleep(100);
  abort();
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, fail, 0);
  syscall(SYS_exit, 0);
}
