// The twin of tick_between_accesses.c: the signal is blocked meanwhile.
//
// FINDS:
// OPTIONS: --executions 100
// SEEDS: 2

#define FIXED
#include "tick_between_accesses.c"
