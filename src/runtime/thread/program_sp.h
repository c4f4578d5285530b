// runtime/thread/program_sp.h
//
// Where the stack of a thread's program ends while the thread stands in one of
// our hooks: the stack pointer as it was ahead of the call that led to us. What
// lies below, in frames of ours, is nobody's any longer.
//
// Null wherever that is not known: the thread runs code of the program, or has
// come to us otherwise than by a call.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_THREAD_PROGRAM_SP_H_
#define FAIRLEAD_RUNTIME_THREAD_PROGRAM_SP_H_

#include "abi/ids.h"

namespace fairlead::rt {

inline const char* program_sp[abi::kMaxThreads];  // by number

// Of whoever called the function that this stands in, which keeps a frame
// pointer because of it.
#define FL_CALLERS_SP \
  (static_cast<const char*>(__builtin_frame_address(0)) + 2 * sizeof(void*))

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_THREAD_PROGRAM_SP_H_
