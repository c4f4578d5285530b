// A thread waits in a system call that nothing is known of (the kernel's own
// asynchronous input and output): nobody else can run, and the time limit names
// it.
//
// EXPECT: cut
// TEXT: waited in the kernel, and nobody else could run
// TEXT: a system call (number 208) by
// UNCONTROLLED: blocking-calls 1
// SEEDS: 1
// MILLISECONDS: 500
// REPEATS: no

#include <linux/aio_abi.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "verify.h"

int main(void) {
  aio_context_t requests = 0;
  struct io_event event;
  VERIFY(syscall(SYS_io_setup, 1, &requests) == 0);
  syscall(SYS_io_getevents, requests, 1, 1, &event, NULL);
  return 0;
}
