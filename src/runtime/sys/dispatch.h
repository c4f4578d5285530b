// runtime/sys/dispatch.h
//
// Syscall user dispatch: the kernel sends SIGSYS for every system call that is
// not made by code of this library, and the handler does what outside/call.h
// says. It is set for each kernel thread, and is off in a new one, in a child
// of fork and after exec: those who carry controlled threads turn it on.
//
// The handler runs on the stack of the thread that called, since the thread may
// park there; the kernel leaves the red zone alone. SIGSYS is never blocked:
// the masks that the program sets are filtered (outside/passing.cc).
//
// Where the kernel cannot do it, the wrappers of libc functions in
// intercept/ come to the same table.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_SYS_DISPATCH_H_
#define FAIRLEAD_RUNTIME_SYS_DISPATCH_H_

#include <signal.h>
#include <stdint.h>

namespace fairlead::rt {

// Installs `on_call` as the handler (outside/on_call.cc). Called once, at the
// start; false when the kernel cannot do it.
using CallHandler = void (*)(int, siginfo_t* info, void* machine);
bool PrepareDispatch(CallHandler on_call);

// For the calling kernel thread. Both do nothing after a failed preparation. A
// process that was forked from a prepared one only turns it on again.
void TurnDispatchOn();
void TurnDispatchOff();

// Whether `pc` is in the dynamic loader, whose own calls are nothing that
// others wait for.
bool IsLoadersCode(const void* pc);
// Whether `pc` is in this library.
bool IsOwnCode(uint64_t pc);

// While one exists, system calls go to the kernel at once, in all threads: for
// calls of libc that a signal handler could not pass on. Its maker holds the
// turn.
class Undispatched {
 public:
  Undispatched();
  ~Undispatched();
  Undispatched(const Undispatched&) = delete;
  Undispatched& operator=(const Undispatched&) = delete;
};

// The signals that the program may not block: takes them out of `mask`, which
// has the kernel's layout.
uint64_t WithoutOurSignals(uint64_t mask);

}  // namespace fairlead::rt

// sys/entry.S
extern "C" {
// Returns from a signal handler, from code of ours.
void __fl_restore() __asm__("__restore_rt");
// Returns from the handler whose frame begins at `stack_pointer`.
[[noreturn]] void __fl_return_from(long stack_pointer);
// clone or clone3 with arguments[0] as its number and the others behind it. The
// result in the parent; the child begins with what lies at its stack pointer
// (ChildFrame in outside/passing.cc).
long __fl_clone(const long* arguments);
}

#endif  // FAIRLEAD_RUNTIME_SYS_DISPATCH_H_
