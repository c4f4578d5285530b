// runtime/outside/vdso.h
//
// The clocks that the kernel maps into every process (vDSO), through which libc
// and others read the time without a system call. Their first instructions are
// overwritten, in this process's own copy, with the system call: so they come
// to the table like all others.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_OUTSIDE_VDSO_H_
#define FAIRLEAD_RUNTIME_OUTSIDE_VDSO_H_

namespace fairlead::rt {

// Called once, at the start, where system calls are dispatched. Does nothing
// where there is no vDSO or its pages cannot be changed.
void TurnVdsoIntoCalls();

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_OUTSIDE_VDSO_H_
