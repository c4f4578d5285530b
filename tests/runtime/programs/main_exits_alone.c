// Main ends by the system call while others go on: that is not the end of the
// process, which its last thread's is. Libc is not told: no handlers run.
//
// EXPECT: ended(0)
// PLAIN:  0
// SEEDS:  8

#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "verify.h"

static int locked_by_main;

static void handler(void) { _exit(77); }

static void* go_on(void* main_thread) {
  VERIFY(pthread_join(*(pthread_t*)main_thread, 0) == 0);
  locked_by_main = 0;
  return 0;
}

int main(void) {
  pthread_t self = pthread_self(), other;
  atexit(handler);
  locked_by_main = 1;
  VERIFY(pthread_create(&other, 0, go_on, &self) == 0);
  pthread_detach(other);
  syscall(SYS_exit, 0);
}
