// sched/factory.h
//
// Makes a strategy from its number without allocating: the storage is part of
// the object, large enough for the largest.
//
//   StrategyStorage storage;
//   Strategy* strategy = storage.Make(StrategyId::kRandom);
//
// Tier: freestanding.

#ifndef FAIRLEAD_SCHED_FACTORY_H_
#define FAIRLEAD_SCHED_FACTORY_H_

#include <stddef.h>

#include <span>
#include <string_view>

#include "sched/strategy.h"

namespace fairlead::sched {

struct StrategyEntry {
  StrategyId id;
  std::string_view name;
  std::string_view params;  // "c=2 k=0": names and defaults, in order
  std::string_view help;
};

inline constexpr StrategyEntry kStrategies[] = {
#define FL_STRATEGY(type, name, number, params, help) \
  {StrategyId::k##type, name, params, help},
#include "sched/strategies.inc"
#undef FL_STRATEGY
};

// The entry, or null for a name or number of no strategy.
constexpr const StrategyEntry* FindStrategy(std::string_view name) {
  for (const StrategyEntry& entry : kStrategies) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}
constexpr const StrategyEntry* FindStrategy(StrategyId id) {
  for (const StrategyEntry& entry : kStrategies) {
    if (entry.id == id) return &entry;
  }
  return nullptr;
}

inline constexpr size_t kStrategyAlignment = 16;

// Room for the largest strategy that another one can hold, and for the largest
// of all; factory.cc asserts that each fits. Tables by thread are most of it,
// and only the part of them that is used is ever touched.
inline constexpr size_t kBaseStrategyBytes = kMaxThreads * 44 + 2048;
inline constexpr size_t kStrategyBytes =
    kBaseStrategyBytes + kMaxThreads * 184 + 6144;

// A strategy of this kind in `room`, which is aligned to kStrategyAlignment.
// Null for a number of no strategy (the control page is untrusted) and for one
// that does not fit.
Strategy* MakeStrategy(StrategyId id, std::span<unsigned char> room) noexcept;

class StrategyStorage {
 public:
  // A strategy of this kind, in place of the one made before; or null.
  Strategy* Make(StrategyId id) noexcept { return MakeStrategy(id, bytes_); }

 private:
  alignas(kStrategyAlignment) unsigned char bytes_[kStrategyBytes];
};

}  // namespace fairlead::sched

#endif  // FAIRLEAD_SCHED_FACTORY_H_
