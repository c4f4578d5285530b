// Threads cannot handle each other's page faults under control: the call is
// refused, as it is to most users, and counted.
//
// EXPECT: ended(0)
// UNCONTROLLED: userfault 1
// SEEDS:  4

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "verify.h"

int main(void) {
  VERIFY(syscall(SYS_userfaultfd, O_CLOEXEC) == -1 && errno == EPERM);
  return 0;
}
