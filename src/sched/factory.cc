#include "sched/factory.h"

#include <new>

#include "sched/chess_strategy.h"
#include "sched/director_strategy.h"
#include "sched/first_strategy.h"
#include "sched/pct_strategy.h"
#include "sched/pctlarge_strategy.h"
#include "sched/pos_strategy.h"
#include "sched/prefix_strategy.h"
#include "sched/randdelay_strategy.h"
#include "sched/random_strategy.h"
#include "sched/replay_strategy.h"
#include "sched/round_robin_strategy.h"
#include "sched/serial_strategy.h"
#include "sched/sketch_strategy.h"
#include "sched/surw_strategy.h"

namespace fairlead::sched {
namespace {

template <typename T>
Strategy* MakeIn(std::span<unsigned char> room) {
  static_assert(sizeof(T) <= kStrategyBytes, "raise kStrategyBytes");
  static_assert(alignof(T) <= kStrategyAlignment);
  if (sizeof(T) > room.size()) return nullptr;
  return new (room.data()) T;  // not T(), which would touch every page
}

}  // namespace

Strategy* MakeStrategy(StrategyId id, std::span<unsigned char> room) noexcept {
  switch (id) {
#define FL_STRATEGY(type, name, number, params, help) \
  case StrategyId::k##type:                           \
    return MakeIn<type##Strategy>(room);
#include "sched/strategies.inc"
#undef FL_STRATEGY
  }
  return nullptr;
}

}  // namespace fairlead::sched
