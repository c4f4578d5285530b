// lin/configurations.h
//
// The set of configurations that a search has been in: open addressing over
// entries of one size, since there are millions of them.

#ifndef FAIRLEAD_LIN_CONFIGURATIONS_H_
#define FAIRLEAD_LIN_CONFIGURATIONS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lin/model.h"

namespace fairlead::lin {

template <size_t kWords>
using Mask = std::array<uint64_t, kWords>;

template <size_t kWords>
struct Configuration {
  uint64_t event = 0;
  State state = 0;
  Mask<kWords> done = {};  // operations under way that are in the order
  bool operator==(const Configuration&) const = default;
};

template <size_t kWords>
class Configurations {
 public:
  using Entry = Configuration<kWords>;

  // Whether it was not there.
  bool Add(const Entry& entry) {
    if ((size_ + 1) * 4 > table_.size() * 3) Grow();
    if (!Put(entry)) return false;
    ++size_;
    return true;
  }

  size_t size() const { return size_; }
  // What growing once more would take, besides what there is.
  size_t NextBytes() const { return table_.size() * 2 * sizeof(Entry); }
  bool IsFull() const { return (size_ + 1) * 4 > table_.size() * 3; }

 private:
  // No event has this number, so it marks free entries.
  static constexpr uint64_t kFree = ~uint64_t{0};

  static uint64_t Mix(uint64_t hash, uint64_t word) {
    // The multiplier of MurmurHash3's finalizer; any odd one that mixes well.
    hash = (hash ^ word) * 0xff51afd7ed558ccd;
    return hash ^ (hash >> 32);
  }

  static uint64_t HashOf(const Entry& entry) {
    uint64_t hash = Mix(Mix(0, entry.event), entry.state);
    for (const uint64_t word : entry.done) hash = Mix(hash, word);
    return hash;
  }

  bool Put(const Entry& entry) {
    const size_t most = table_.size() - 1;
    for (size_t at = HashOf(entry) & most;; at = (at + 1) & most) {
      if (table_[at].event == kFree) {
        table_[at] = entry;
        return true;
      }
      if (table_[at] == entry) return false;
    }
  }

  void Grow() {
    std::vector<Entry> old(table_.empty() ? 1024 : table_.size() * 2,
                           Entry{.event = kFree});
    old.swap(table_);
    for (const Entry& entry : old) {
      if (entry.event != kFree) Put(entry);
    }
  }

  std::vector<Entry> table_;  // a power of two, or empty
  size_t size_ = 0;
};

}  // namespace fairlead::lin

#endif  // FAIRLEAD_LIN_CONFIGURATIONS_H_
