// The twin looks for each key anew.
//
// FINDS:
// OPTIONS: --executions 300

#define FIXED
#include "erased_under_iterator.cc"
