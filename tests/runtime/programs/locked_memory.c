// All memory is locked: that does not fill what nobody has touched, of which a
// controlled program has gigabytes.
//
// EXPECT: ended(0)
// SEEDS:  2

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "verify.h"

int main(void) {
  unsigned char there = 0;
  void* page =
      mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  VERIFY(page != MAP_FAILED);
  // Who may not lock memory has seen enough.
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) {
    VERIFY(errno == ENOMEM || errno == EPERM);
    return 0;
  }
  VERIFY(mincore(page, 4096, &there) == 0 && (there & 1) == 0);
  *(char*)page = 1;
  VERIFY(mincore(page, 4096, &there) == 0 && (there & 1) == 1);
  return 0;
}
