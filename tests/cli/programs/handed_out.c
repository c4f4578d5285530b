// Two workers take jobs from a list, and number them without a lock. As long as
// each thread runs until it must wait, the first worker does all of them, and
// nothing tells that the numbers are shared, which are far from what else is.
// Twin: handed_out_fixed.c.

#include "handed_out.h"

static int next_number(void) {
  static _Alignas(64) int number;
  return number++;
}
