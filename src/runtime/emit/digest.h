// runtime/emit/digest.h
//
// Digests that tell whether two executions were the same. Addresses enter by
// what they are in the program (block and offset, module and offset, thread and
// offset), never raw, so that digests hold under address randomisation.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_EMIT_DIGEST_H_
#define FAIRLEAD_RUNTIME_EMIT_DIGEST_H_

#include <stdint.h>

#include "abi/context.h"
#include "abi/event.h"
#include "runtime/sites/portable.h"

namespace fairlead::rt {

using abi::Fold;

inline constexpr uint64_t kSpread = 0xbf58476d1ce4e5b9;

// One step of the digest of events: all of a record but its instructions, its
// node and its caller, whose numbers depend on what came up before the program
// began. What does not depend on the digest before is mixed first, so that
// steps overlap.
inline uint64_t FoldRecord(uint64_t digest, const abi::Event& record) {
  uint64_t words[4];
  __builtin_memcpy(words, &record, sizeof(words));
  const bool payload = record.kind == abi::EventKind::kExtPayload;
  // Bytes are what they are, unless they are pointers.
  const bool bytes = payload && record.size != sizeof(void*);
  const uint64_t address = bytes ? words[2] : Portable(words[2]);
  // Which words of a range are null (runtime/intercept/access.cc) may depend on
  // bytes that nobody has set: padding, and what lay on the stack before.
  const bool range =
      record.kind == abi::EventKind::kWrite && record.size > sizeof(void*);
  const uint64_t value = bytes ? words[3] : range ? 0 : Portable(words[3]);
  const bool instrumented = (record.flags & abi::kFlagInstrumented) != 0;
  const uint64_t where = bytes          ? words[1]
                         : payload      ? Portable(words[1])
                         : instrumented ? uint64_t{record.site}
                                        : 0;
  const uint64_t who = (words[0] & 0xffff'ffff'ffff) + where * kSpread;
  const uint64_t what = address * kSpread + value;
  const unsigned __int128 product =
      static_cast<unsigned __int128>(who ^ 0x9e3779b97f4a7c15) *
      (what ^ 0xd6e8feb86659fd93);
  const uint64_t mixed =
      static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  return (digest ^ mixed) * 0xff51afd7ed558ccd;
}
inline constexpr uint64_t kNoRecords = 1;  // the digest to begin with

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_EMIT_DIGEST_H_
