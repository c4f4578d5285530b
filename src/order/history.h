// order/history.h
//
// The accesses to one variable, condensed: of each type (order/access_types.h,
// or another number that stands for what never changes) the last one, with its
// stamps. Which entries can matter to each other is kept as bits, so that an
// access is compared with those only.
//
// Compact, since there is one for every variable: a pointer to one block of
// memory, with half a cache line for each entry, and behind them the types,
// where they are searched.
//
//   entries[capacity] types[capacity]
//
// Unsound: a history keeps kMaxEntries types, and forgets the one that was not
// seen for the longest time. Segments are counted modulo 2^32.

#ifndef FAIRLEAD_ORDER_HISTORY_H_
#define FAIRLEAD_ORDER_HISTORY_H_

#include <emmintrin.h>

#include <algorithm>
#include <bit>
#include <cstddef>
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

// Sets of entries of a history, by index.
class EntryBits {
 public:
  bool empty() const { return bits_ == 0; }
  bool Has(size_t index) const { return (bits_ >> index & 1) != 0; }
  void Add(size_t index) { bits_ |= uint32_t{1} << index; }
  // Entry `gone` of the history that the bits are about has gone, and those
  // behind it moved up.
  void Remove(size_t gone) {
    const uint32_t below = (uint32_t{1} << gone) - 1;
    bits_ = (bits_ & below) | ((bits_ >> 1) & ~below);
  }
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (uint32_t bits = bits_; bits != 0; bits &= bits - 1) {
      visit(static_cast<size_t>(std::countr_zero(bits)));
    }
  }

 private:
  uint32_t bits_ = 0;
};

class History {
 public:
  static constexpr size_t kMaxEntries = 32;
  static constexpr size_t kNone = ~size_t{0};

  struct Entry {
    Stamps stamps;
    uint32_t extra = 0;  // whatever else the user wants to know
    // Those that this entry is to be compared with: of its own history, and of
    // another one that the user has.
    EntryBits partners;
    EntryBits others;
    // Of its own history: those that it followed, for a user who wants to know.
    EntryBits followed;
  };
  static_assert(sizeof(Entry) == 32);

  History() = default;
  History(const History& other) { *this = other; }
  History& operator=(const History& other) {
    if (this == &other) return *this;
    size_ = other.size_;
    capacity_ = other.capacity_;
    last_ = other.last_;
    block_.reset();
    if (capacity_ != 0) {
      block_ = NewBlock(capacity_);
      std::memcpy(start(), other.start(), BytesFor(capacity_));
    }
    return *this;
  }
  History(History&&) = default;
  History& operator=(History&&) = default;

  size_t size() const { return size_; }
  uint32_t type(size_t index) const { return types()[index]; }
  Entry& operator[](size_t index) { return entries()[index]; }
  const Entry& operator[](size_t index) const { return entries()[index]; }

  // The entry of a type, and the last one that was touched of its owner: of
  // types that agree in all but the lowest `owner_shift` bits. kNone where
  // there is none.
  struct Found {
    size_t same = kNone;
    size_t last = kNone;
  };
  Found Search(uint32_t type, int owner_shift) const {
    const Matches matches = Match(type, owner_shift);
    return {IndexOf(matches.same), IndexOf(matches.own & last_)};
  }
  size_t Find(uint32_t type) const { return IndexOf(Match(type, 0).same); }

  // It will be searched soon; and then, for a type of this owner.
  void Prefetch() const {
    if (size_ != 0) __builtin_prefetch(types());
  }
  void PrefetchOwn(uint32_t owner, int owner_shift) const {
    const uint32_t own = Match(owner << owner_shift, owner_shift).own & last_;
    if (own != 0) __builtin_prefetch(&entries()[IndexOf(own)]);
  }

  // `last`: of its owner until now, as of Search.
  void Touch(size_t index, size_t last = kNone) {
    if (last != kNone) last_ &= ~(uint32_t{1} << last);
    last_ |= uint32_t{1} << index;
  }

  bool full() const { return size_ == kMaxEntries; }
  // Drops the entry that was not seen for the longest time, and tells which.
  size_t DropOldest() {
    size_t oldest = 0;
    for (size_t i = 1; i < size_; ++i) {
      if ((*this)[i].stamps.seq < (*this)[oldest].stamps.seq) oldest = i;
    }
    for (size_t i = oldest; i + 1 < size_; ++i) {
      types()[i] = types()[i + 1];
      entries()[i] = entries()[i + 1];
    }
    --size_;
    const uint32_t below = (uint32_t{1} << oldest) - 1;
    last_ = (last_ & below) | ((last_ >> 1) & ~below);
    return oldest;
  }

  // Adds a type that is not there; there must be room. `last` as in Touch.
  size_t Add(uint32_t type, const Stamps& stamps, uint32_t extra,
             size_t last = kNone) {
    if (size_ == capacity_) Grow();
    const size_t index = size_++;
    types()[index] = type;
    entries()[index] = {stamps, extra, {}, {}, {}};
    Touch(index, last);
    return index;
  }

 private:
  // Of a block: so that entries share cache lines two by two; a place that
  // reads and one that writes are often entered one after the other. What `new`
  // gives is aligned to 16.
  static constexpr uintptr_t kAlignment = 64;
  static constexpr size_t kSlack = kAlignment - 16;
  using Block = std::unique_ptr<std::byte[]>;

  // Types are compared four at a time.
  static constexpr size_t kLanes = 4;
  struct Matches {
    uint32_t same = 0;
    uint32_t own = 0;
  };

  static size_t BytesFor(size_t capacity) {
    return capacity * sizeof(Entry) +
           std::max(capacity, kLanes) * sizeof(uint32_t);
  }
  static Block NewBlock(size_t capacity) {
    return std::make_unique_for_overwrite<std::byte[]>(BytesFor(capacity) +
                                                       kSlack);
  }
  std::byte* start() const {
    const auto address = reinterpret_cast<uintptr_t>(block_.get());
    return block_.get() + (-address & (kAlignment - 1));
  }
  Entry* entries() const { return reinterpret_cast<Entry*>(start()); }
  uint32_t* types() const {
    return reinterpret_cast<uint32_t*>(start() + capacity_ * sizeof(Entry));
  }

  static size_t IndexOf(uint32_t bits) {
    return bits == 0 ? kNone : static_cast<size_t>(std::countr_zero(bits));
  }

  // Bits of entries: those of this type, and those with the same owner. Without
  // branches on what is found, which cannot be foreseen.
  Matches Match(uint32_t type, int owner_shift) const {
    const auto all = [](uint32_t value) {
      return _mm_set1_epi32(static_cast<int>(value));
    };
    const auto bits = [](__m128i lanes) {
      return static_cast<uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(lanes)));
    };
    Matches matches;
    for (size_t i = 0; i < size_; i += kLanes) {
      const __m128i some =
          _mm_load_si128(reinterpret_cast<const __m128i*>(types() + i));
      const __m128i owners = _mm_srli_epi32(some, owner_shift);
      matches.same |= bits(_mm_cmpeq_epi32(some, all(type))) << i;
      matches.own |= bits(_mm_cmpeq_epi32(owners, all(type >> owner_shift)))
                     << i;
    }
    const uint32_t present = static_cast<uint32_t>((uint64_t{1} << size_) - 1);
    return {matches.same & present, matches.own & present};
  }

  void Grow() {
    History larger;
    larger.capacity_ = static_cast<uint8_t>(capacity_ == 0 ? 2 : 2 * capacity_);
    larger.block_ = NewBlock(larger.capacity_);
    larger.size_ = size_;
    larger.last_ = last_;
    if (size_ != 0) {
      std::memcpy(larger.types(), types(), size_ * sizeof(uint32_t));
      std::memcpy(larger.entries(), entries(), size_ * sizeof(Entry));
    }
    *this = std::move(larger);
  }

  Block block_;
  uint8_t size_ = 0;
  uint8_t capacity_ = 0;  // a power of two, or 0
  uint32_t last_ = 0;     // bits of entries: the last of each owner
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_HISTORY_H_
