// base/keeper.h
//
// A process of ours between us and a program that we start: whatever the
// program starts, and however it tries to get away (setsid, a daemon's two
// forks), ends with the program, or with us.
//
//   tool ──line──▶ keeper ──▶ program ──▶ its children
//                     ◀──────── orphans ────────┘
//
// The keeper is a "child subreaper": the kernel gives it every descendant whose
// parent has ended, and not init. Its own children are the only processes that
// it signals, and it alone reaps them, so no number can have gone to somebody
// else. It leaves the program itself unreaped until the line is closed.
//
//   keeper to us   the program's process id; at the end, behind the end of all
//                  that the program started, its wait status
//   us to keeper   nothing: closing the line, by our death too, ends them all
//
// Tier: hosted; runs in a child of fork, so only async-signal-safe calls.

#ifndef FAIRLEAD_BASE_KEEPER_H_
#define FAIRLEAD_BASE_KEEPER_H_

#include <sys/types.h>

namespace fairlead {

// Closes all descriptors from `first` on, also where close_range is refused.
void CloseFrom(int first);

// The parent of a process; 0 = it is gone, or nobody knows.
pid_t ParentOf(pid_t process);

// Whether a process is stopped as by SIGSTOP, and does nothing until it is
// continued.
bool IsSuspended(pid_t process);

// What the keeper tells at the end.
struct KeptEnding {
  int code;    // CLD_EXITED, CLD_KILLED or CLD_DUMPED
  int status;  // exit code or signal
};

// The life of a keeper, in a child of fork. `become_program` is called in a
// child of its own and does not return; if it cannot even be called, its error
// is written to `report`.
[[noreturn]] void Keep(int line, int report, void (*become_program)(void*),
                       void* argument);

}  // namespace fairlead

#endif  // FAIRLEAD_BASE_KEEPER_H_
