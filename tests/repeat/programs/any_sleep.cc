// A minute passes early as well if somebody wants it to.
//
// FINDS: lost-wakeup
// SAYS: after a sleep of 60 s passed early at
// OPTIONS: --executions 60 --early-timeouts any

#include "long_sleep.cc"
