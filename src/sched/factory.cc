#include "sched/factory.h"

#include <new>

#include "sched/first_strategy.h"
#include "sched/random_strategy.h"
#include "sched/round_robin_strategy.h"

namespace fairlead::sched {
namespace {

template <typename T, size_t kRoom>
Strategy* MakeIn(unsigned char (&room)[kRoom]) {
  static_assert(sizeof(T) <= kRoom && alignof(T) <= 16, "raise kBytes");
  return new (room) T();
}

}  // namespace

Strategy* StrategyStorage::Make(StrategyId id) noexcept {
  switch (id) {
#define FL_STRATEGY(type, name, number, help) \
  case StrategyId::k##type:                   \
    return MakeIn<type##Strategy>(bytes_);
#include "sched/strategies.inc"
#undef FL_STRATEGY
  }
  return nullptr;
}

}  // namespace fairlead::sched
