// Random numbers are drawn, differ from one another, and are the same in every
// repetition: they decide how much is allocated, which the events tell.
//
// EXPECT: ended(0)

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "verify.h"

uint32_t arc4random_uniform(uint32_t bound);

int main(void) {
  uint32_t first = 0, second = 0;
  unsigned char bytes[300];
  VERIFY(getrandom(&first, sizeof first, 0) == sizeof first);
  VERIFY(getentropy(&second, sizeof second) == 0);
  VERIFY(first != second);
  VERIFY(getentropy(bytes, sizeof bytes) != 0);  // more than 256 are refused
  VERIFY(arc4random_uniform(7) < 7);
  void* block = malloc(1 + first % 1000 + second % 1000);
  VERIFY(block != 0);
  free(block);
  return 0;
}
