// The twin's object lives as long as anybody has it.
//
// FINDS:
// OPTIONS: --executions 300

#define FIXED
#include "left_behind_main.cc"
