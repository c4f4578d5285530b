// Nor do five seconds if nothing may pass early.
//
// FINDS:
// OPTIONS: --executions 60 --early-timeouts never

#define PAUSE 5s
#include "long_sleep.cc"
