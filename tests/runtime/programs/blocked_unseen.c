// Without syscall user dispatch, a call that goes past libc keeps everybody
// waiting: that is told, with the place, also if the call comes back. Who
// serves it is a child, which waits until the parent has been woken several
// times, by looks of the runtime alone.
//
// EXPECT: ended(0)
// FLAGS: no-dispatch
// UNCONTROLLED: blocking-calls 1
// SEEDS: 1
// REPEATS: no

#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "verify.h"

static long read_past_libc(int fd, void* to, size_t bytes) {
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(SYS_read), "D"(fd), "S"(to), "d"(bytes)
                   : "rcx", "r11", "memory");
  return result;
}

// How often process `pid` has begun to wait.
static long waits_of(int pid) {
  char path[64], line[128];
  long waits = -1;
  snprintf(path, sizeof(path), "/proc/%d/status", pid);
  FILE* file = fopen(path, "r");
  if (!file) _exit(1);
  while (fgets(line, sizeof(line), file)) {
    sscanf(line, "voluntary_ctxt_switches: %ld", &waits);
  }
  fclose(file);
  return waits;
}

int main(void) {
  int fds[2];
  VERIFY(pipe(fds) == 0);
  const int parent = getpid();
  if (fork() == 0) {
    const long begin = waits_of(parent);
    while (waits_of(parent) < begin + 5) usleep(10000);
    _exit(write(fds[1], "x", 1) != 1);
  }
  char byte;
  VERIFY(read_past_libc(fds[0], &byte, 1) == 1);
  return 0;
}
