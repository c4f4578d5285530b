// Without syscall user dispatch, a thread that waits for ever in a call past
// libc: the time limit ends it, naming the call and the place.
//
// EXPECT: cut
// FLAGS: no-dispatch
// TEXT: main/1 waited in the kernel, and nobody else could run
// TEXT: a system call (number 0) by blocked_for_ever+
// UNCONTROLLED: blocking-calls 1
// SEEDS: 1
// MILLISECONDS: 500
// REPEATS: no

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int fds[2];

static void* wait_past_libc(void* argument) {
  long result;
  char byte;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(SYS_read), "D"(fds[0]), "S"(&byte), "d"(1)
                   : "rcx", "r11", "memory");
  return argument;
}

int main(void) {
  pthread_t thread;
  if (pipe(fds) != 0) return 2;
  pthread_create(&thread, 0, wait_past_libc, 0);
  pthread_join(thread, 0);
  return 0;
}
