// futex_lock.c with points at its accesses: between looking at a word and
// waiting for it, others may change it.
//
// EXPECT: ended(0)
// SEEDS:  12

#define _GNU_SOURCE
#include "../futex_lock.c"
