// explore/run/seeds.h
//
// The seeds of the executions of a campaign. Each is mixed from the campaign's
// seed and a number, so that campaigns with neighbouring seeds have no
// execution in common: counted up, seeds 1 and 2 would be the same campaign,
// one execution apart.

#ifndef FAIRLEAD_EXPLORE_RUN_SEEDS_H_
#define FAIRLEAD_EXPLORE_RUN_SEEDS_H_

#include <cstdint>

#include "sched/rng.h"

namespace fairlead::explore {

// Who plans an execution, so that no two of one campaign get the same seeds.
enum class SeedFor : uint64_t {
  kSearch = 1,
  kReference,
  kTarget,
  kProfile,
  kIRoot,
};

// The seed of the execution of that number. Two that are equal differ in
// neither campaign nor use nor number, but for chances of one in 2^64.
constexpr uint64_t SeedOf(uint64_t campaign, SeedFor use, uint64_t number) {
  constexpr uint64_t kStep = 0x9e3779b97f4a7c15;  // as splitmix64 has it
  const uint64_t mine =
      sched::Mix(campaign + kStep * static_cast<uint64_t>(use));
  return sched::Mix(mine + kStep * (number + 1));
}

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_RUN_SEEDS_H_
