// The deque of deque_taken_twice.cc, whose owner asks the thieves for the last
// element.
//
// FINDS:
// OPTIONS: --executions 60
// SEEDS: 1

#define FIXED
#include "deque_taken_twice.cc"
