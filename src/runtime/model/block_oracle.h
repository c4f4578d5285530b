// runtime/model/block_oracle.h
//
// Whether an access may be made to the memory that it touches: a look at the
// block of our heap (alloc/heap.h) that it lies in, ahead of it. What must not
// be is reported as a misuse; then the access is made all the same.
//
//   freed          the block rests in quarantine, or its slot was not given out
//                  again
//   out of bounds  the first byte lies behind the block, in its red zone, or a
//                  write that begins in the block ends behind it
//   beyond its field
//                  an array inside of a structure is indexed beyond its end,
//                  where the block holds just one such structure
//   never written  with kPlanFill: a value that matters (abi::SiteFlag) is what
//                  the heap was filled with
//
// Unsound: accesses that no point stands ahead of, and what libraries do, are
// not looked at. Of ranges that are read only the first byte is, since
// functions such as memchr take lengths that they do not use up. Values of less
// than four bytes are too often like the filling by chance.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_MODEL_BLOCK_ORACLE_H_
#define FAIRLEAD_RUNTIME_MODEL_BLOCK_ORACLE_H_

#include "abi/site.h"
#include "runtime/thread/thread.h"

namespace fairlead::rt {

// `address` lies in the heap; the thread's place is that of the access.
void CheckBlock(Thread& thread, const abi::SiteRecord& site,
                const void* address, uint64_t bytes);

// With kPlanFill: what a fresh block holds, by address.
void FillBlock(char* begin, size_t bytes);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_MODEL_BLOCK_ORACLE_H_
