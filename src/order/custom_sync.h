// order/custom_sync.h
//
// Synchronisation that a program made itself, recognised from its accesses:
//
//   Spin.      A thread reads a location at one site, twice in a row with the
//              same value and nothing else touched between, and the next read
//              there finds another value, which another thread wrote. The
//              write is ordered before that read: the loop waited for it.
//   Hand-over. A thread reads a pointer into a heap block that it had no way to
//              know yet, at a location where another thread wrote that pointer.
//              The write is ordered before that read, and so what the writer
//              did to the block before it gave it away.
//
// Without this, flags and queues look like missing order to every analysis that
// leaves out mutexes: 51 of the 53 false reports of ConMem (ASPLOS 2011) were
// of these two kinds.
//
// Unsound: in another execution the reader may have come to the value or the
// pointer by another way. Incomplete: loops that read more than one location,
// and pointers that are packed into other values, are not recognised.

#ifndef FAIRLEAD_ORDER_CUSTOM_SYNC_H_
#define FAIRLEAD_ORDER_CUSTOM_SYNC_H_

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "order/access.h"
#include "order/object_table.h"
#include "order/vector_clock.h"

namespace fairlead::order {

// What was known to a thread when it wrote something. The thread's own part is
// apart, so that the rest can be shared between many writes.
struct Knowledge {
  std::shared_ptr<const VectorClock> clock;
  Epoch own;
};

class CustomSync {
 public:
  // What the thread learns by this access, which is of this kind; null =
  // nothing. Holds until the next call.
  const Knowledge* Learns(const Event& event, AccessKind kind);

  // Whether others may learn from this write; if so, `Publish` must follow.
  bool Publishes(const Event& event);
  void Publish(const Event& event, Knowledge knowledge);

  // Blocks of the heap, which come and go.
  void OnMemory(const Event& event);

 private:
  // A read that may be a loop's.
  struct Reading {
    uint64_t site = 0;  // SiteKey
    uint64_t address = 0;
    uint64_t value = 0;
    bool again = false;  // the same was read twice or more
  };
  // The last write of a pointer, or to a location that somebody spins on.
  struct Written {
    bool watched = false;  // somebody spun here
    bool valid = false;
    uint64_t value = 0;
    Tid writer = Tid::kNone;
    Knowledge knowledge;
  };
  struct HeapBlock {
    uint64_t bytes = 0;
    std::vector<Tid> known_to;  // threads that touched it or read its address
  };

  Reading& ReadingOf(Tid tid);
  HeapBlock* BlockAt(uint64_t address);
  bool Introduce(HeapBlock& block, Tid tid);

  std::vector<Reading> readings_;  // by thread
  ObjectTable<Written> written_;
  std::map<uint64_t, HeapBlock> blocks_;  // by first byte
  uint64_t heap_first_ = ~uint64_t{0};    // no block is below,
  uint64_t heap_end_ = 0;                 // or at or above
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_CUSTOM_SYNC_H_
