// explore/judge/cut_short.h
//
// Where an execution was when it was cut, for people: a line for each thread,
// and what it printed last.

#ifndef FAIRLEAD_EXPLORE_JUDGE_CUT_SHORT_H_
#define FAIRLEAD_EXPLORE_JUDGE_CUT_SHORT_H_

#include <string>
#include <vector>

#include "explore/names/namer.h"
#include "explore/run/runner.h"

namespace fairlead::explore {

std::vector<std::string> WhereItWas(const Finished& finished, Namer& namer);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_CUT_SHORT_H_
