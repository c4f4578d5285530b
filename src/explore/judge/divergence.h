// explore/judge/divergence.h
//
// Why a replay left its schedule, as far as can be told: where, what was
// expected there, what was found, and the likely cause.

#ifndef FAIRLEAD_EXPLORE_JUDGE_DIVERGENCE_H_
#define FAIRLEAD_EXPLORE_JUDGE_DIVERGENCE_H_

#include <string>
#include <vector>

#include "explore/names/namer.h"
#include "explore/run/execution.h"
#include "trace/schedule.h"

namespace fairlead::explore {

// One line each; the first says where. `doubt` is what IdentityDoubt said
// before the execution.
std::vector<std::string> DivergenceLines(const Executed& executed,
                                         const trace::Schedule& schedule,
                                         const std::string& doubt,
                                         Namer& namer);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_DIVERGENCE_H_
