// Five seconds are what orders are hidden behind: they may pass early, and the
// finding says so.
//
// FINDS: lost-wakeup
// SAYS: after a sleep of 5 s passed early at
// OPTIONS: --executions 60

#define PAUSE 5s
#include "long_sleep.cc"
