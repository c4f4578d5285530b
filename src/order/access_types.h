// order/access_types.h
//
// Accesses that agree in thread, place, kind and the locks held, as one number.
// What two such types are to each other (do they conflict, does a lock keep
// them apart) never changes, so a variable's history can be a short list of
// types, and only the clocks of those that can meet need be compared. Grows
// with the places in the program, its threads and its locks.
//
// Unsound: beyond half a million types of one thread, further ones have no
// conflicts.

#ifndef FAIRLEAD_ORDER_ACCESS_TYPES_H_
#define FAIRLEAD_ORDER_ACCESS_TYPES_H_

#include <array>
#include <cstdint>
#include <vector>

#include "order/access.h"
#include "order/locksets.h"
#include "order/number_table.h"

namespace fairlead::order {

// The thread above, the number among its types below; no type is 0 there.
enum class TypeId : uint32_t {};
inline constexpr uint32_t kTypeBits = 19;
static_assert(abi::kMaxThreads <= uint32_t{1} << (32 - kTypeBits));

inline constexpr uint32_t kTypeMask = (uint32_t{1} << kTypeBits) - 1;

inline Tid TidOf(uint32_t type) {
  return Tid{static_cast<uint16_t>(type >> kTypeBits)};
}

struct AccessType {
  Spot spot;  // of the first one; `seq` is not meaningful
  AccessKind kind = AccessKind::kNone;
  bool atomic = false;
  LocksetId locks = LocksetId::kEmpty;
  uint64_t hold = 0;  // SiteKey of the first lock held; 0 = none
};

class AccessTypes {
 public:
  // The type of an access, or of an event that counts as one (`kind`).
  TypeId Of(const Event& event, AccessKind kind, const Locksets& locks) {
    const Key key = {SpotOf(event).key() ^ static_cast<uint64_t>(kind) << 48,
                     static_cast<uint64_t>(abi::Index(event.tid)) << 32 |
                         static_cast<uint64_t>(locks.SetOf(event.tid))};
    const size_t thread = abi::Index(event.tid);
    if (thread >= recent_.size()) recent_.resize(thread + 1);
    Recent& recent = recent_[thread][event.site % kRecent];
    if (recent.key == key) return recent.type;
    const TypeId* known = numbers_.Find(key);
    recent = {key, known != nullptr ? *known : Make(key, event, kind, locks)};
    return recent.type;
  }

  const AccessType& operator[](TypeId type) const {
    const auto number = static_cast<uint32_t>(type);
    return types_[number >> kTypeBits][number & kTypeMask];
  }

  // One of this type, as it was seen.
  Spot SpotAt(TypeId type, uint64_t seq) const {
    Spot spot = (*this)[type].spot;
    spot.seq = seq;
    return spot;
  }

 private:
  struct Key {
    uint64_t what = ~uint64_t{0};
    uint64_t who = ~uint64_t{0};
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    size_t operator()(const Key& key) const {
      uint64_t hash = key.what * 0x9e3779b97f4a7c15u;
      hash = (hash ^ (hash >> 29) ^ key.who) * 0xbf58476d1ce4e5b9u;
      return hash ^ (hash >> 32);
    }
  };

  // What was asked for lately, of each thread: the places of a loop.
  static constexpr size_t kRecent = 32;
  struct Recent {
    Key key;
    TypeId type = {};
  };

  TypeId Make(const Key& key, const Event& event, AccessKind kind,
              const Locksets& locks);

  NumberTable<Key, TypeId, Hash> numbers_;
  std::vector<std::vector<AccessType>> types_;       // by thread and number
  std::vector<std::array<Recent, kRecent>> recent_;  // by thread and site
};

}  // namespace fairlead::order

#endif  // FAIRLEAD_ORDER_ACCESS_TYPES_H_
