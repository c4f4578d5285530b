// trace/digest.h
//
// A digest of an execution by what it did: equal for equal executions, also
// under address randomisation, since addresses and values that point into known
// blocks enter as (block number, offset). Sites enter by number, which is
// stable for one set of binaries loaded in one order.
//
// Modules that the names know count as blocks.
//
// Incomplete: a value that points into no known block (into a stack that no
// event tells of) is taken as it is, so digests of two processes can differ by
// it alone.

#ifndef FAIRLEAD_TRACE_DIGEST_H_
#define FAIRLEAD_TRACE_DIGEST_H_

#include <cstdint>
#include <span>

#include "base/digest.h"
#include "trace/event.h"
#include "trace/location.h"
#include "trace/names.h"

namespace fairlead::trace {

class ExecutionDigest {
 public:
  void KnowModules(const Names& names);

  void Add(const Event& event);
  uint64_t Value() const { return digester_.Value(); }

  Blocks& blocks() { return blocks_; }

  // What `Add` makes of one event: equal words mean equal events.
  // Advances the known blocks.
  uint64_t Word(const Event& event);

 private:
  Blocks blocks_;
  Digester digester_;
};

uint64_t DigestOf(std::span<const Event> events);

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_DIGEST_H_
