#include "order/access_types.h"

namespace fairlead::order {

TypeId AccessTypes::Make(const Key& key, const Event& event, AccessKind kind,
                         const Locksets& locks) {
  const size_t thread = abi::Index(event.tid);
  if (thread >= types_.size()) types_.resize(thread + 1);
  std::vector<AccessType>& types = types_[thread];
  // Number 0: one too many, without conflicts.
  if (types.empty()) types.push_back({.spot = {.tid = event.tid}});
  const auto first = static_cast<uint32_t>(thread) << kTypeBits;
  if (types.size() > kTypeMask) return TypeId{first};
  const auto next = static_cast<TypeId>(first + types.size());
  numbers_.Add(key, next);
  const auto held = locks.HeldBy(event.tid);
  types.push_back({SpotOf(event), kind, IsAtomic(event), locks.SetOf(event.tid),
                   held.empty() ? 0 : held.front().site});
  return next;
}

}  // namespace fairlead::order
