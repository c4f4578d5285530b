// runtime/outside/passing.h
//
// Rows for calls that are not under control, or need no model: each has the
// effect of the real call (outside/passing.cc).
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_OUTSIDE_PASSING_H_
#define FAIRLEAD_RUNTIME_OUTSIDE_PASSING_H_

#include "runtime/outside/call.h"

namespace fairlead::rt {

long PassSigprocmask(Call& call);
long PassSigaltstack(Call& call);
long PassSigaction(Call& call);
long PassSigsuspend(Call& call);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_OUTSIDE_PASSING_H_
