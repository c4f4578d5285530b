// analysis/conmem/lives.h
//
// Blocks of memory from their allocation to their end, and what has to be known
// of each when it ends: who used it, by which pointer each thread came to it,
// who handed it to whom, and who counted himself in and out. Feeds on every
// event; analysis/conmem/dangling.h asks when a block ends.
//
// Kept for a live block: of each thread, the last use at each of at most
// kUsesOfThread places, the last pointer that it read, and counts. So memory
// grows with what is alive.
//
// Unsound: beyond kMaxUses uses of one block, the oldest are forgotten.

#ifndef FAIRLEAD_ANALYSIS_CONMEM_LIVES_H_
#define FAIRLEAD_ANALYSIS_CONMEM_LIVES_H_

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "analysis/conmem/before.h"
#include "order/model.h"
#include "order/object_table.h"

namespace fairlead::analysis::conmem {

using trace::Tid;

// By which pointer a thread came to a block: where it read it, and which locks
// it has held without a break since before that.
struct Way {
  uint64_t location = 0;
  uint64_t seq = 0;  // of the read
  order::LocksetId over = order::LocksetId::kEmpty;
};

struct Use {
  order::Spot spot;
  uint64_t address = 0;
  uint32_t weak = 0;   // segment in the order without locks,
  uint32_t loose = 0;  // … and also without atomics
  // SiteKey of the first lock that it took after it had the pointer; 0 = none.
  uint64_t hold = 0;
  // From the pointer to the block outwards to the pointer to what that lies
  // in; null = nothing is held over any of them.
  std::shared_ptr<const std::vector<Way>> ways;
};

// A counter in the block that threads increase and decrease by one.
struct Counting {
  Tid tid = Tid::kNone;
  uint64_t location = 0;
  int64_t net = 0;         // increments less decrements
  uint64_t first_up = 0;   // seq of the first increment; 0 = none
  uint64_t last_down = 0;  // seq of the last decrement; 0 = none
};

// `from` stored a pointer to the block, and `to` has read it there.
struct HandOver {
  Tid to = Tid::kNone;
  order::Epoch from;
};

// A block that was freed.
struct Freed {
  order::Spot spot;     // seq 0 = not yet
  uint64_t number = 0;  // Life::number
  uint64_t begin = 0;
  uint64_t bytes = 0;
  order::Spot made;
};

// A thread has read where a pointer to the block had been, and found it gone.
// Had it come before, it would have had the pointer when the block was freed.
struct Missed {
  order::Spot read;
  order::Spot gone;   // the write that took the pointer away
  uint64_t hold = 0;  // SiteKey of the first lock that it was made under; or 0
  uint64_t location = 0;
  Freed freed;
};

struct Life {
  uint64_t begin = 0;
  uint64_t bytes = 0;
  uint64_t number = 0;  // of all lives, from 1
  order::Spot made;
  abi::BlockClass block_class = abi::BlockClass::kHeap;
  bool zeroed = false;
  std::vector<Use> uses;
  std::vector<std::pair<Tid, Way>> pointers;  // by thread; `over` not set
  std::vector<HandOver> handed;
  std::vector<Counting> counting;
  std::vector<uint64_t> left;  // locations that pointed to it, overwritten

  bool Has(uint64_t address) const { return address - begin < bytes; }
};

// A pointer was overwritten by something that points elsewhere.
struct Unlink {
  uint64_t seq = 0;
  order::Spot spot;
  uint64_t hold = 0;  // SiteKey of the first lock held; 0 = none
  order::Epoch weak;
  order::LocksetId locks = order::LocksetId::kEmpty;
  uint64_t number = 0;                    // of the life that it pointed to
  Freed freed;                            // … once that is freed
  std::vector<order::Spot> readers = {};  // that could have come before
};

class Lives {
 public:
  static constexpr size_t kUsesOfThread = 8;
  static constexpr size_t kMaxUses = 64;
  static constexpr uint64_t kPointerBytes = 8;

  // An access to memory, or a use of a primitive that lies in it.
  void OnUse(const trace::Event& event, order::Model& order);
  // What an access says about pointers: to be called after OnUse.
  // `visit(Missed)` for a read that came too late for a block that is freed.
  template <typename Visit>
  void OnPointer(const trace::Event& event, order::Model& order, Visit visit) {
    if (event.size == kPointerBytes && Reads(order.kind())) {
      if (const Unlink* unlink = ReadTooLate(event, order)) {
        if (unlink->freed.spot.seq != 0) {
          visit(MissedOf(order::SpotOf(event), event.address, *unlink));
        }
      }
    }
    LearnPointer(event, order);
    before_.Done(event.tid, order);
  }
  void OnOther(const trace::Event& event, order::Model& order) {
    before_.Done(event.tid, order);
  }
  // The life, which is about to end, is freed. `visit(Missed)` for reads that
  // have come too late for it.
  template <typename Visit>
  void OnFree(const trace::Event& event, const Life& life, Visit visit) {
    const Freed freed = {order::SpotOf(event), life.number, life.begin,
                         life.bytes, life.made};
    freed_[num_freed_++ % freed_.size()] = freed;
    for (const uint64_t location : life.left) {
      Unlink* unlink = unlinks_.Find(location);
      if (unlink == nullptr || unlink->number != life.number) continue;
      unlink->freed = freed;
      for (const order::Spot& reader : unlink->readers) {
        if (reader.tid == event.tid) continue;
        visit(MissedOf(reader, location, *unlink));
      }
    }
  }
  // Begins a life.
  void Begin(const trace::Event& event, abi::BlockClass block_class);
  // Forgets lives and pointers in the range, after `visit(life)` of each that
  // begins there.
  template <typename Visit>
  void End(uint64_t address, uint64_t bytes, Visit visit) {
    const uint64_t end = address + bytes;
    auto each = lives_.lower_bound(address);
    while (each != lives_.end() && each->first < end) {
      visit(each->second);
      each = lives_.erase(each);
    }
    Forget(address, bytes);
  }

  // The life that this byte belongs to, or null. Holds until it ends.
  Life* At(uint64_t address) {
    if (address - first_ >= end_ - first_) return nullptr;
    Life*& near = near_[address / 64 % near_.size()];
    if (near != nullptr && near->Has(address)) return near;
    return Look(address, near);
  }

  // What lies in memory that is about to be freed points nowhere from now on: a
  // node that is taken out of its list and freed is how most are unlinked.
  void LeaveAll(const trace::Event& event, order::Model& order);

  // Null: nobody has overwritten a pointer there.
  const Unlink* UnlinkAt(uint64_t location) { return unlinks_.Find(location); }

 private:
  struct Held {
    uint64_t life = 0;   // number; 0 = no pointer to any
    uint64_t begin = 0;  // of that life
    order::Epoch writer;
    bool anew = false;  // what was there before pointed elsewhere
  };
  // The last plain read of a thread, which a write may follow.
  struct Reading {
    uint64_t address = 0;
    uint64_t value = 0;
  };

  // Of a location, so many readers and of a life, so many locations are kept.
  static constexpr size_t kMostMissed = 8;

  static Missed MissedOf(const order::Spot& read, uint64_t location,
                         const Unlink& unlink) {
    return {read, unlink.spot, unlink.hold, location, unlink.freed};
  }
  Life* Look(uint64_t address, Life*& near);
  void LearnPointer(const trace::Event& event, order::Model& order);
  // Notes the reader; null if it is none that came too late, or is known.
  const Unlink* ReadTooLate(const trace::Event& event, order::Model& order);
  void Forget(uint64_t address, uint64_t bytes);
  // Overwrite() for each pointer in the range.
  void OverwriteAll(uint64_t address, uint64_t bytes, const trace::Event& event,
                    order::Model& order);
  static bool IsOwnCopy(const Life& life, const Held* held, const Way& way,
                        Tid tid, order::Model& order);
  void ReadPointer(const trace::Event& event, uint64_t value,
                   order::Model& order);
  void WritePointer(const trace::Event& event, uint64_t value,
                    order::Model& order);
  void Overwrite(uint64_t location, const trace::Event& event,
                 order::Model& order);
  void Count(Life& life, const trace::Event& event);
  Use& UseOf(Life& life, const trace::Event& event);
  void FindWays(const Life& life, Use& use, order::Model& order);

  std::map<uint64_t, Life> lives_;  // by first byte
  uint64_t first_ = 0;              // no life is below,
  uint64_t end_ = 0;                // or at or above
  uint64_t num_lives_ = 0;
  std::array<Life*, 64> near_ = {};  // looked up lately; null = none
  order::ObjectTable<Held> held_;    // by location
  order::ObjectTable<Unlink> unlinks_;
  std::vector<Reading> readings_;     // by thread
  std::array<Freed, 64> freed_ = {};  // lately
  size_t num_freed_ = 0;
  Before before_;
};

}  // namespace fairlead::analysis::conmem

#endif  // FAIRLEAD_ANALYSIS_CONMEM_LIVES_H_
