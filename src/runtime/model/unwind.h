// runtime/model/unwind.h
//
// Leaving a thread from any depth of its stack, as pthread_exit and
// cancellation do: cleanup handlers and destructors run, innermost first, and
// then the thread stands in its first frame again. Works alike on a kernel
// thread and on a fiber, where libc's own way out would not be found.
//
// C++ frames are unwound by libgcc's _Unwind_ForcedUnwind, which is loaded when
// first needed, as libc does. Handlers of C (pthread_cleanup_push without
// -fexceptions) are jumped to with longjmp when the unwinder comes to their
// frame; each ends in __pthread_unwind_next, which goes on from there.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_UNWIND_H_
#define FAIRLEAD_RUNTIME_MODEL_UNWIND_H_

#include <setjmp.h>

#include "runtime/thread/thread.h"

namespace fairlead::rt {

// The program's __pthread_unwind_buf_t, whose last words are for the library.
struct CleanupBuffer {
  __jmp_buf registers;
  int mask_was_saved;
  CleanupBuffer* outer;
  uintptr_t sp;    // of the frame that the handler belongs to
  int saved_type;  // by pthread_cleanup_push_defer_np
  void* unused;
};
static_assert(sizeof(CleanupBuffer) == sizeof(__pthread_unwind_buf_t));

// Calls body(argument), code of the program. Comes back when it returns, or
// when `thread` has left it through LeaveProgram.
void RunProgram(Thread& thread, void (*body)(void*), void* argument);

// Unwinds to the RunProgram that `thread`, the calling one, is in. Also called
// when it is leaving already, to go on from an outer handler.
[[noreturn]] void LeaveProgram(Thread& thread);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_UNWIND_H_
