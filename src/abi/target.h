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

#include "abi/ids.h"

namespace fairlead::abi {

inline constexpr size_t kMaxTargetSteps = 16;
// Every pair of steps once.
inline constexpr size_t kMaxTargetEdges =
    kMaxTargetSteps * (kMaxTargetSteps - 1) / 2;
inline constexpr uint8_t kNoRole = 0xff;

enum class TargetOperation : uint8_t {
  kAny,
  kRead,
  kWrite,
  kRmw,
  kLock,
  kUnlock,
  kFree,
  kClose,
  kDestroy,
  kWait,
  kSignal,
  kCreate,
  kJoin,
  kCancel,
  kCall,
};

struct TargetStepRecord {
  SiteId anchor;   // kNone = any site
  SiteId hold_at;  // where its thread waits for its turn; kNone = at the step
  uint32_t occurrence;  // of the thread's passes, from 1; 0 = any
  TargetOperation operation;
  uint8_t thread;  // role, below kMaxTargetSteps
  uint8_t object;  // role, below kMaxTargetSteps; kNoRole = any
  uint8_t reserved;
};
static_assert(sizeof(TargetStepRecord) == 24);

// What may not happen between the two steps of an edge.
enum class TargetAdjacency : uint8_t {
  kNone,          // nothing is forbidden
  kNobody,        // an access to the object of the first step
  kNotOwnThread,  // such an access by the thread of the first step
};

struct TargetEdgeRecord {
  uint8_t before;  // index of a step
  uint8_t after;
  TargetAdjacency adjacency;
  uint8_t soft;  // 1 = given up when nothing else can go on
};
static_assert(sizeof(TargetEdgeRecord) == 4);

// How far the director came; sets of steps are bits by index.
struct TargetProgress {
  uint16_t done;      // in the attempt under way, or the one that succeeded
  uint16_t best;      // the fullest `done` that there was
  uint16_t in_sight;  // steps that some thread stood before
  uint16_t reserved;
  uint32_t restarts;  // attempts given up because order or window broke
  uint32_t success;   // 1 = all steps were done in order
};

struct TargetRecord {
  uint32_t num_steps;
  uint32_t num_edges;
  TargetStepRecord steps[kMaxTargetSteps];
  TargetEdgeRecord edges[kMaxTargetEdges];
  TargetProgress progress;  // written by the director
};

}  // namespace fairlead::abi

#endif  // FAIRLEAD_ABI_TARGET_H_
