// The same for a systematic search, and for a sleep that may be over early.
//
// FINDS:
// OPTIONS: --executions 30 --strategy chess

#define PAUSE sleep(1)
#include "stop_flag.c"
