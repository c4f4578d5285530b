// runtime/alloc/quarantine.h
//
// Where freed blocks rest, the first freed leaving first, until the blocks
// behind them fill the quarantine. A ring of fixed size.
//
// Unsound: a use of a block that has left the quarantine is not recognised.
//
// Tier: freestanding. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_ALLOC_QUARANTINE_H_
#define FAIRLEAD_RUNTIME_ALLOC_QUARANTINE_H_

#include <stddef.h>
#include <stdint.h>

namespace fairlead::rt {

class Quarantine {
 public:
  // Memory that rests is memory that is not reused, and each page of it costs a
  // page fault: 4 MB are a thousand, about three milliseconds.
  static constexpr size_t kMaxBytes = size_t{4} << 20;
  static constexpr size_t kMaxBlocks = 16384;

  void Put(char* address, size_t bytes) {
    entries_[(first_ + count_++) % kRoom] = {address, bytes};
    bytes_ += bytes;
  }

  // A block that has rested long enough, or null.
  char* TakeRested() {
    if (count_ <= kMaxBlocks && (bytes_ <= kMaxBytes || count_ <= 1)) {
      return nullptr;
    }
    const Entry& entry = entries_[first_];
    first_ = (first_ + 1) % kRoom;
    --count_;
    bytes_ -= entry.bytes;
    return entry.address;
  }

 private:
  static constexpr size_t kRoom = kMaxBlocks + 1;
  struct Entry {
    char* address;
    size_t bytes;
  };
  Entry entries_[kRoom];
  size_t first_;
  size_t count_;
  size_t bytes_;
};

Quarantine& quarantine();

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_ALLOC_QUARANTINE_H_
