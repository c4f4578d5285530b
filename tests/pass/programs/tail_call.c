// Probe: before,after,frames
//
// A call that must be a tail call stays one: ten million of them end without a
// deep stack in an idle program, and under the probe each frame tells its exit
// ahead of the call.

#include <stdlib.h>

int turns;

__attribute__((noinline)) static int odd(int n);

__attribute__((noinline)) static int even(int n) {  // fires enter x11, exit x11
  turns++;  // fires load x11, store x11
  if (n == 0) return 1;
  __attribute__((musttail)) return odd(n - 1);
}

static int odd(int n) {  // fires enter x10, exit x10
  if (n == 0) return 0;
  __attribute__((musttail)) return even(n - 1);
}

int main(void) {  // fires enter, exit
  return even(getenv("PROBE") != 0 ? 20 : 10000000) ? 0 : 1;  // fires range-read/8 x*
}
