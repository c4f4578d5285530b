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

  bool Has(uint64_t address) const { return address - begin < bytes; }
};

// A pointer was overwritten by something that points elsewhere.
struct Unlink {
  uint64_t seq = 0;
  order::Epoch weak;
  order::LocksetId locks = order::LocksetId::kEmpty;
};

class Lives {
 public:
  static constexpr size_t kUsesOfThread = 8;
  static constexpr size_t kMaxUses = 64;

  // An access to memory, or a use of a primitive that lies in it.
  void OnUse(const trace::Event& event, order::Model& order);
  // What an access says about pointers: to be called after OnUse.
  void OnPointer(const trace::Event& event, order::Model& order);
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

  // Null: nobody has overwritten a pointer there.
  const Unlink* UnlinkAt(uint64_t location) { return unlinks_.Find(location); }

 private:
  struct Held {
    uint64_t life = 0;  // number; 0 = no pointer to any
    order::Epoch writer;
    bool anew = false;  // what was there before pointed elsewhere
  };
  // The last plain read of a thread, which a write may follow.
  struct Reading {
    uint64_t address = 0;
    uint64_t value = 0;
  };

  Life* Look(uint64_t address, Life*& near);
  void Forget(uint64_t address, uint64_t bytes);
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
  std::vector<Reading> readings_;  // by thread
};

}  // namespace fairlead::analysis::conmem

#endif  // FAIRLEAD_ANALYSIS_CONMEM_LIVES_H_
