// abi/target.h
//
// A target as the director inside the program gets it: roles and words of
// finding/target.h made into numbers, and beside it how far the director came.
// Lies in the control page (RegionId::kTarget, one entry), so that what was
// reached can be read also after a crash.
//
// Tier: freestanding.

#ifndef FAIRLEAD_ABI_TARGET_H_
#define FAIRLEAD_ABI_TARGET_H_

#include <stddef.h>
#include <stdint.h>

#include "abi/context.h"
#include "abi/ids.h"

namespace fairlead::abi {

// A director keeps a bit for each.
inline constexpr size_t kMaxTargetSteps = 64;
// Every pair of steps once.
inline constexpr size_t kMaxTargetEdges =
    kMaxTargetSteps * (kMaxTargetSteps - 1) / 2;
inline constexpr uint8_t kNoRole = 0xff;

enum class TargetOperation : uint8_t {
  kAny,
#define FL_OPERATION(name, word) name,
#include "abi/target_operations.inc"
#undef FL_OPERATION
};

// What the value read, or written, must be.
enum class TargetValue : uint8_t { kAny, kZero, kNonzero };

// A thread by its way of creation, as one number: main is kMainPath, and the
// third thread that it makes ChildPath(kMainPath, 3).
inline constexpr uint64_t kMainPath = 1;
constexpr uint64_t ChildPath(uint64_t parent, uint64_t ordinal) {
  return Fold(parent, ordinal);
}

struct TargetStepRecord {
  SiteId anchor;     // kNone = any site
  SiteId hold_at;    // where its thread waits for its turn; kNone = at the step
  uint64_t context;  // of the call chain (abi/context.h); 0 = any
  // Of the calls that lead into the activation that is its unit; 0 = those of
  // the step itself.
  uint64_t unit_context;
  uint64_t path;        // of the thread (ChildPath); 0 = any
  uint32_t occurrence;  // of the thread's passes, from 1; 0 = any
  TargetOperation operation;
  uint8_t thread;  // role, below kMaxTargetSteps
  uint8_t object;  // role, below kMaxTargetObjects; kNoRole = any
  uint8_t unit;    // role of the activation, below kMaxTargetSteps; kNoRole
  TargetValue value;
  uint8_t arrives;   // 1 = reached when its thread stands before it
  uint8_t optional;  // 1 = leads there, and is not part of what is to be shown
  uint8_t reserved[5];
};
static_assert(sizeof(TargetStepRecord) == 56);

// What the object of a role is to that of another one.
enum class TargetRelation : uint8_t {
  kItself,       // nothing: the bytes that the step touches
  kOverlaps,     // shares a byte with it
  kInsideFreed,  // lies in the block that the other is
  kOtherField,   // lies in the same block, and shares no byte with it
};

// Objects of steps, and objects that those are related to.
inline constexpr size_t kMaxTargetObjects = 2 * kMaxTargetSteps;
struct TargetObjectRecord {
  TargetRelation relation;
  uint8_t other;  // role
};
static_assert(sizeof(TargetObjectRecord) == 2);

// What may not happen between the two steps of an edge.
enum class TargetAdjacency : uint8_t {
  kNone,          // nothing is forbidden
  kNobody,        // an access to the object of the first step
  kNotOwnThread,  // such an access by the thread of the first step
  kWithin,        // more than `within` instructions of that thread
};

struct TargetEdgeRecord {
  uint8_t before;  // index of a step
  uint8_t after;
  TargetAdjacency adjacency;
  uint8_t soft;  // 1 = given up when nothing else can go on
  uint32_t within;
};
static_assert(sizeof(TargetEdgeRecord) == 8);

// Why a director stopped trying before the execution was over.
enum class TargetGivenUp : uint8_t {
  kNot,
  kThrashing,  // order or window broke again and again
};

// How far the director came; sets of steps are bits by index.
struct TargetProgress {
  uint64_t done;      // in the attempt under way, or the one that succeeded
  uint64_t best;      // the fullest `done` that there was
  uint64_t in_sight;  // steps that some thread stood before
  // Steps whose operation some thread came to at their site, but
  uint64_t other_context;  // by other calls,
  uint64_t other_object;   // on another object,
  uint64_t other_value;    // with another value
  uint64_t other_thread;   // in a thread that has another role, or unit
  TargetGivenUp given_up;
  uint8_t reserved;
  uint32_t restarts;  // attempts given up because order or window broke
  uint32_t too_far;   // of these: more instructions than an edge allows
  uint32_t waits;     // real waits for the world outside
  uint32_t success;   // 1 = all steps were done in order
};

struct TargetRecord {
  uint32_t num_steps;
  uint16_t num_edges;
  uint16_t inside_only;  // 1 = does not depend on the world outside: when all
                         // are held, nobody waits for it
  TargetStepRecord steps[kMaxTargetSteps];
  TargetObjectRecord objects[kMaxTargetObjects];
  TargetEdgeRecord edges[kMaxTargetEdges];
  TargetProgress progress;  // written by the director
};

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_TARGET_H_
