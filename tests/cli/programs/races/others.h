// Code that is compiled without us: a flag, and a team that runs a function of
// ours.

#ifndef TESTS_CLI_PROGRAMS_RACES_OTHERS_H_
#define TESTS_CLI_PROGRAMS_RACES_OTHERS_H_

#ifdef __cplusplus
extern "C" {
#endif

void others_raise(void);
int others_raised(void);

// Calls `part` with 0 to 3, in threads of gcc's OpenMP.
void others_team(void (*part)(int));

#ifdef __cplusplus
}
#endif

#endif  // TESTS_CLI_PROGRAMS_RACES_OTHERS_H_
