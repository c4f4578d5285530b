// Waits in a system call that nothing is known of: for the kernel's own
// asynchronous input and output, of which none was asked for.

#include <linux/aio_abi.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
  aio_context_t requests = 0;
  struct io_event event;
  if (syscall(SYS_io_setup, 1, &requests) != 0) return 2;
  return syscall(SYS_io_getevents, requests, 1, 1, &event, NULL) < 0;
}
