// runtime/model/claims.h
//
// What the program says is so at least once in a campaign
// (fairlead_sometimes(), fairlead_reachable()): one record for each message in
// the control page, so that the tool can tell at its end what never was.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_CLAIMS_H_
#define FAIRLEAD_RUNTIME_MODEL_CLAIMS_H_

#include "runtime/thread/thread.h"

namespace fairlead::rt {

enum class Claimed : bool { kNotYet, kHolds };

// `thread` stands at a claim of that kind; `message` may be null.
void NoteClaim(const Thread& thread, EventKind kind, const char* message,
               Claimed now);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_CLAIMS_H_
