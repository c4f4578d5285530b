// runtime/outside/fifos.h
//
// Opening a FIFO waits until somebody has opened its other end. Here the thread
// parks until then; the FIFO itself is opened without waiting, which for a
// reader counts as much for those who write.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_OUTSIDE_FIFOS_H_
#define FAIRLEAD_RUNTIME_OUTSIDE_FIFOS_H_

#include "runtime/outside/call.h"

namespace fairlead::rt {

// Whether `call`, one of open and openat, would wait for another to open the
// same FIFO.
bool OpensFifo(const Call& call);

// Makes it; returns what it does, once the other end is there.
long OpenFifo(Call& call);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_OUTSIDE_FIFOS_H_
