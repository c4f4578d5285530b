// runtime/thread/leave.h
//
// What a thread needs to end without returning to its start routine: where its
// first frame is, which handlers to run on the way there, and whether somebody
// has asked it to. model/unwind.h does the leaving, model/cancel.h the asking.
//
// Tier: in-program. Threads: as thread/thread.h.

#ifndef FAIRLEAD_RUNTIME_THREAD_LEAVE_H_
#define FAIRLEAD_RUNTIME_THREAD_LEAVE_H_

#include <setjmp.h>
#include <stdint.h>

#include "runtime/thread/cause.h"

namespace fairlead::rt {

struct Thread;
struct CleanupBuffer;

struct Leave {
  jmp_buf base;            // below the program's frames
  uintptr_t base_sp;       // stack pointer there
  CleanupBuffer* cleanup;  // innermost pthread_cleanup_push; null = none
  // An _Unwind_Exception, which has no class: C++ catches it as
  // abi::__forced_unwind.
  alignas(16) unsigned char exception[64];

  bool leaving;   // on its way out: cannot be cancelled any more
  bool dropped;   // by the system call: nobody hears of it, nothing is run
  int code;       // that it was dropped with
  bool disabled;  // PTHREAD_CANCEL_DISABLE
  bool asynchronous;
  bool pending;    // asked to leave
  bool due;        // pending, and to be acted on at the next point
  Cause canceled;  // who asked first
};

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_THREAD_LEAVE_H_
