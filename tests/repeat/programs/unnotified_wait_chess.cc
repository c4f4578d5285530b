// The same as unnotified_wait.cc, by systematic search: to say that all
// schedules have been run, it must have seen this one.
//
// FINDS: lost-wakeup
// OPTIONS: --strategy chess --executions 2000
// SEEDS: 1

#include "unnotified_wait.cc"
