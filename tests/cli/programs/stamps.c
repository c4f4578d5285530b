// Asks the processor for the time and for what it is, and then crashes.

#include <cpuid.h>
#include <x86intrin.h>

int main(void) {
  unsigned a, b, c, d;
  __cpuid(1, a, b, c, d);
  __rdtscp(&a);
  if (__rdtsc() == 0 || d == 0) return 1;
  *(volatile int*)0 = 0;
  return 0;
}
