// sched/insight.h
//
// What a strategy may ask about the threads of a program beyond what a point
// shows. Whoever carries the choices out answers; only strategies that need it
// ask, so it costs others nothing.
//
// Tier: freestanding. Threads: the caller holds the turn.

#ifndef FAIRLEAD_SCHED_INSIGHT_H_
#define FAIRLEAD_SCHED_INSIGHT_H_

#include <stdint.h>

#include "abi/ids.h"

namespace fairlead::sched {

struct Candidate;

// A block of the heap, or nothing.
struct Block {
  uint64_t begin = 0;
  uint64_t bytes = 0;  // 0 = none
};

class Insight {
 public:
  // What `tid`, which exists and has not ended, is about to do, also when it
  // cannot yet.
  virtual Candidate IntentOf(abi::Tid tid) const noexcept = 0;

  // The calls that lead to where it stands: a node of the call tree, its
  // number that holds in all executions (abi/context.h), and whether one node
  // is on the way to another.
  virtual uint32_t NodeOf(abi::Tid tid) const noexcept = 0;
  virtual uint64_t ContextOf(uint32_t node) const noexcept = 0;
  virtual bool Encloses(uint32_t outer, uint32_t inner) const noexcept = 0;
  // The innermost node on the way to `inner`, itself included, with that
  // number; false if there is none.
  virtual bool FindOuter(uint32_t inner, uint64_t context,
                         uint32_t* outer) const noexcept = 0;

  // Its way of creation (abi::ChildPath).
  virtual uint64_t PathOf(abi::Tid tid) const noexcept = 0;

  // Instructions that it has executed.
  virtual uint64_t InstructionsOf(abi::Tid tid) const noexcept = 0;

  // The live block that holds the byte at `address`.
  virtual Block BlockAt(uint64_t address) const noexcept = 0;

  // Reads up to 8 bytes of the program's memory. False, and nothing read, when
  // they are not there.
  virtual bool ReadMemory(uint64_t address, uint64_t bytes,
                          uint64_t* value) const noexcept = 0;

 protected:
  ~Insight() = default;
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_INSIGHT_H_
