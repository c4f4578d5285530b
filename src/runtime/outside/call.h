// runtime/outside/call.h
//
// A system call of the program, however it came to us: by syscall user dispatch
// (sys/dispatch.h), by a wrapper of libc, or by syscall(). One table
// (outside/calls.inc) says what is done about each number; what is not in it
// goes to the kernel as it is.
//
// Adding a row: a line in calls.inc, and a function `long Name(Call&)` that
// returns what the kernel would, negative errno on failure. It is called with
// the turn held and hooks passing through, so it may use whatever models use,
// and may park its thread (`gate().Arrive`).
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_OUTSIDE_CALL_H_
#define FAIRLEAD_RUNTIME_OUTSIDE_CALL_H_

#include <signal.h>
#include <stdint.h>
#include <ucontext.h>

#include "runtime/sys/syscall.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

struct Call {
  long number;
  long args[6];
  const void* caller;  // the program's, behind its call
  // Who calls; null when the call is not under control (the runtime's own
  // doing, a thread that has left, the start and end of the process). Rows
  // marked kControlled are never called then.
  Thread* thread = nullptr;
  // What the kernel has saved, and will restore when the call is over, among it
  // the signal mask and the alternate stack; null when the call did not come by
  // a signal.
  ucontext_t* frame = nullptr;

  template <typename T>
  T* pointer(int index) const {
    return reinterpret_cast<T*>(args[index]);
  }
  int fd() const { return static_cast<int>(args[0]); }
  // Only for controlled calls.
  Place place() const;
};

// Does what the table says.
long Perform(Call& call);

// Calls under control so far.
uint64_t num_calls();

// The call under way that no row is for: the kernel may keep its thread
// waiting. `caller` is null when there is none.
struct PassedCall {
  long number;
  const void* caller;
};
PassedCall passed_call();

// Asks the kernel, as the program would have.
inline long AskKernel(const Call& call) {
  return sys::Call(call.number, call.args[0], call.args[1], call.args[2],
                   call.args[3], call.args[4], call.args[5]);
}

// The rows of the table, by file.
#define FL_CALL(name, handler, when) long handler(Call& call);
#include "runtime/outside/calls.inc"
#undef FL_CALL

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_OUTSIDE_CALL_H_
