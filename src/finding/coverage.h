// finding/coverage.h
//
// How well a program's interleavings have been tested, as a value: iRoots
// exposed and predicted by idiom, file, function and source line, how that
// grew, and what is left. Whoever explores counts them, reports show them.

#ifndef FAIRLEAD_FINDING_COVERAGE_H_
#define FAIRLEAD_FINDING_COVERAGE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fairlead::finding {

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
  std::vector<Tally> by_idiom;               // idioms count from 1; 0 is empty
  std::map<std::string, Tally> by_file;      // of any step; "" = not known
  std::map<std::string, Tally> by_function;  // the same
  std::vector<LineCoverage> lines;           // idiom 1; by file and line
};

// After so many executions and so much time of all campaigns, so many iRoots
// had been exposed.
struct Growth {
  uint64_t executions = 0;
  uint64_t nanoseconds = 0;
  uint64_t exposed = 0;
  bool operator==(const Growth&) const = default;
};

// What is left, estimated from how many executions exposed each iRoot. All are
// expected numbers, and none is negative.
struct Estimate {
  double unseen = 0;   // iRoots that exist and were not exposed
  double next = 0;     // new ones in the next execution; may be above 1
  double in_time = 0;  // new ones in so much more time
};

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_COVERAGE_H_
