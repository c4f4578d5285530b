// runtime/sys/environment.h
//
// The environment vector as the kernel laid it out, edited in place: at the
// time when the runtime starts, libc has not set `environ` yet.
//
// Tier: in-program. Threads: before the program has any.

#ifndef FAIRLEAD_RUNTIME_SYS_ENVIRONMENT_H_
#define FAIRLEAD_RUNTIME_SYS_ENVIRONMENT_H_

namespace fairlead::rt {

// The value of `name`, or null.
char* FindVariable(char** environment, const char* name);
void RemoveVariable(char** environment, const char* name);

// Takes this library out of LD_PRELOAD, and LD_PRELOAD out of the environment
// if nothing is left, so that children of the program are not dragged in.
void RemoveFromPreload(char** environment);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_SYS_ENVIRONMENT_H_
