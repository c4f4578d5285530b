// explore/plan/coverage.h
//
// What a memo says about how well a program's interleavings have been tested:
// iRoots exposed and predicted by idiom, file, function and source line.

#ifndef FAIRLEAD_EXPLORE_PLAN_COVERAGE_H_
#define FAIRLEAD_EXPLORE_PLAN_COVERAGE_H_

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "explore/plan/memo.h"

namespace fairlead::explore {

struct Tally {
  uint64_t exposed = 0;
  uint64_t open = 0;    // predicted for the last input, and neither of the two
  uint64_t failed = 0;  // was tried in vain, and not exposed
  uint64_t all() const { return exposed + open + failed; }
};

// Which part of a conflicting pair a line is.
struct LinePair {
  std::string other;  // "file:line"
  std::string mine;   // operations
  std::string theirs;
  bool here_first = false;  // this line => the other; else the other way
  uint64_t exposures = 0;   // 0 = not tested
};

struct LineCoverage {
  std::string file;
  uint32_t line = 0;
  std::vector<LinePair> pairs;
  uint64_t num_tested() const;
};

struct Coverage {
  Tally all;
  std::array<Tally, analysis::iroot::kNumIdioms + 1> by_idiom = {};
  std::map<std::string, Tally> by_file;      // of any step; "" = not known
  std::map<std::string, Tally> by_function;  // the same
  std::vector<LineCoverage> lines;           // idiom 1; by file and line
};

// Without `libraries`, iRoots with a step in a library are left out.
Coverage CoverageOf(const Memo& memo, bool libraries);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_PLAN_COVERAGE_H_
