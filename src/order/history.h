// order/history.h
//
// The accesses to one variable, condensed: of each type (order/access_types.h,
// or another number that stands for what never changes) the last one, with its
// stamps. Which entries can matter to each other is kept as bits, so that an
// access is compared with those only.
//
// Compact, since there is one for every variable: a pointer to one block of
// memory, with the types in front, where they are searched.
//
//   types[capacity] partners[capacity] extras[capacity] stamps[capacity]
//
// Unsound: a history keeps kMaxEntries types, and forgets the one that was not
// seen for the longest time. Segments are counted modulo 2^32.

#ifndef FAIRLEAD_ORDER_HISTORY_H_
#define FAIRLEAD_ORDER_HISTORY_H_

#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "order/vector_clock.h"

namespace fairlead::order {

// When an access was: in the weak order, in the loose one, in the stream.
struct Stamps {
  uint64_t seq = 0;
  uint32_t weak = 0;   // number of its segment
  uint32_t loose = 0;  // the same
  bool SameSegment(const Stamps& other) const {
    return weak == other.weak && loose == other.loose;
  }
};
static_assert(sizeof(Stamps) == 16);

class History {
 public:
  static constexpr size_t kMaxEntries = 32;
  static constexpr size_t kNone = ~size_t{0};

  History() = default;
  History(const History& other) { *this = other; }
  History& operator=(const History& other) {
    if (this == &other) return *this;
    size_ = other.size_;
    capacity_ = other.capacity_;
    block_.reset();
    if (capacity_ != 0) {
      block_ = std::make_unique<uint64_t[]>(WordsFor(capacity_));
      std::memcpy(block_.get(), other.block_.get(), WordsFor(capacity_) * 8);
    }
    return *this;
  }
  History(History&&) = default;
  History& operator=(History&&) = default;

  size_t size() const { return size_; }
  uint32_t type(size_t index) const { return types()[index]; }
  const Stamps& stamps(size_t index) const { return all_stamps()[index]; }
  Stamps& stamps(size_t index) { return all_stamps()[index]; }
  // Whatever else the user wants to know of an entry.
  uint32_t& extra(size_t index) { return words()[2 * capacity_ + index]; }
  uint32_t extra(size_t index) const { return words()[2 * capacity_ + index]; }

  size_t Find(uint32_t type) const {
    const uint32_t* const all = types();
    for (size_t i = 0; i < size_; ++i) {
      if (all[i] == type) return i;
    }
    return kNone;
  }

  // Bits of entries, of this or of another history: those that this entry is to
  // be compared with.
  void SetPartner(size_t index, size_t partner) {
    words()[capacity_ + index] |= uint32_t{1} << partner;
  }
  template <typename Visit>
  void ForEachPartner(size_t index, Visit visit) const {
    for (uint32_t bits = words()[capacity_ + index]; bits != 0;
         bits &= bits - 1) {
      visit(static_cast<size_t>(std::countr_zero(bits)));
    }
  }
  // Entry `gone` of the history that the bits are about has gone, and those
  // behind it moved up.
  void RemovePartner(size_t gone) {
    const uint32_t below = (uint32_t{1} << gone) - 1;
    for (size_t i = 0; i < size_; ++i) {
      uint32_t& bits = words()[capacity_ + i];
      bits = (bits & below) | ((bits >> 1) & ~below);
    }
  }

  bool full() const { return size_ == kMaxEntries; }
  // Drops the entry that was not seen for the longest time, and tells which.
  size_t DropOldest() {
    size_t oldest = 0;
    for (size_t i = 1; i < size_; ++i) {
      if (stamps(i).seq < stamps(oldest).seq) oldest = i;
    }
    for (size_t i = oldest; i + 1 < size_; ++i) CopyEntry(*this, i + 1, i);
    --size_;
    return oldest;
  }

  // Adds a type that is not there; there must be room.
  size_t Add(uint32_t type, const Stamps& stamps) {
    if (size_ == capacity_) Grow();
    const size_t index = size_++;
    words()[index] = type;
    words()[capacity_ + index] = 0;
    extra(index) = 0;
    all_stamps()[index] = stamps;
    return index;
  }

 private:
  static size_t WordsFor(size_t capacity) {
    return (3 * capacity * sizeof(uint32_t) + capacity * sizeof(Stamps)) / 8;
  }
  uint32_t* words() { return reinterpret_cast<uint32_t*>(block_.get()); }
  const uint32_t* words() const {
    return reinterpret_cast<const uint32_t*>(block_.get());
  }
  const uint32_t* types() const { return words(); }
  Stamps* all_stamps() {
    return reinterpret_cast<Stamps*>(words() + 3 * capacity_);
  }
  const Stamps* all_stamps() const {
    return reinterpret_cast<const Stamps*>(words() + 3 * capacity_);
  }

  void CopyEntry(const History& from, size_t source, size_t index) {
    for (size_t part = 0; part < 3; ++part) {
      words()[part * capacity_ + index] =
          from.words()[part * from.capacity_ + source];
    }
    all_stamps()[index] = from.all_stamps()[source];
  }

  void Grow() {
    History larger;
    larger.capacity_ = static_cast<uint8_t>(capacity_ == 0 ? 2 : 2 * capacity_);
    larger.block_ = std::make_unique<uint64_t[]>(WordsFor(larger.capacity_));
    larger.size_ = size_;
    for (size_t i = 0; i < size_; ++i) larger.CopyEntry(*this, i, i);
    *this = std::move(larger);
  }

  std::unique_ptr<uint64_t[]> block_;
  uint8_t size_ = 0;
  uint8_t capacity_ = 0;  // a power of two, or 0
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_HISTORY_H_
