// runtime/sys/own_process.h
//
// Which process is under control.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_SYS_OWN_PROCESS_H_
#define FAIRLEAD_RUNTIME_SYS_OWN_PROCESS_H_

namespace fairlead::rt {

// This process, a child of the fork server, is the one to be controlled.
void RenewOwnProcess();

// Whether this process is the one that the runtime started in: false in a child
// of fork, and in one of vfork, which shares our memory.
bool InOwnProcess();

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_SYS_OWN_PROCESS_H_
