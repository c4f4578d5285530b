// Languages: c c++
//
// Memory intrinsics and string functions are accesses to ranges, at every
// level, whether the compiler knows the size or not.

#include <string.h>

char here[64] = "twelve chars", there[64];
struct Block {
  char bytes[40];
} first, second;

void known_sizes(void) {
  memcpy(there, here, 16);  // fires range-read/16, range-write/16
  memmove(there + 1, there, 8);  // fires range-read/8, range-write/8
  memset(there, 0, 32);  // fires range-write/32
  second = first;  // fires range-read/40, range-write/40
}

void sizes_at_run_time(unsigned long n) {
  memcpy(there, here, n);  // fires range-read/11, range-write/11
  memset(there, 0, n);  // fires range-write/11
  memcmp(there, here, n);  // fires range-read/11 x2
}

int strings(void) {
  strcpy(there, here);  // fires range-write/13, range-read/13
  strncpy(there, here, 3);  // fires range-write/3, range-read/3
  return strlen(there) == 12 &&  // fires range-read/13
         strcmp(there, here) == 0 &&  // fires range-read/13 x2
         strchr(there, 'v') != 0;  // fires range-read/13
}

int main(void) {
  known_sizes();
  sizes_at_run_time(11);
  return strings() ? 0 : 1;
}
