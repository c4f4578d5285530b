// The same with syscall user dispatch: the call is seen, and nobody can end it.
//
// EXPECT: deadlock
// UNCONTROLLED: blocking-calls 0

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
