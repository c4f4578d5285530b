// runtime/model/once.h
//
// pthread_once_t: the first caller runs the routine, others wait until it is
// done. A routine that is left by an exception, pthread_exit or a cancellation
// has not been run: the next caller tries again.
//
// The control word holds what glibc would write there, so that a child of fork
// goes on with it.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_ONCE_H_
#define FAIRLEAD_RUNTIME_MODEL_ONCE_H_

#include <pthread.h>

#include "runtime/model/objects.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

struct Once : Object {
  static constexpr ObjectKind kKind = ObjectKind::kOnce;
  Thread* runner;  // is in the routine; null = nobody
  Cause finished;  // no thread = not done
  Once* outer;     // whose routine the runner was in already
};

// Calls the routine of the program unless that has been done.
int CallOnce(Thread& thread, pthread_once_t* control, void (*routine)(),
             const Place& place);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_ONCE_H_
