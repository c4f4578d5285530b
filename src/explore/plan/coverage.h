// explore/plan/coverage.h
//
// What a memo says about how well a program's interleavings have been tested.

#ifndef FAIRLEAD_EXPLORE_PLAN_COVERAGE_H_
#define FAIRLEAD_EXPLORE_PLAN_COVERAGE_H_

#include "explore/plan/memo.h"
#include "finding/coverage.h"

namespace fairlead::explore {

// Without `libraries`, iRoots with a step in a library are left out.
finding::Coverage CoverageOf(const Memo& memo, bool libraries);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_PLAN_COVERAGE_H_
