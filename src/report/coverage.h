// report/coverage.h
//
// What has been tested of a program's interleavings, and what is left, as text,
// JSON, CSV and SVG.

#ifndef FAIRLEAD_REPORT_COVERAGE_H_
#define FAIRLEAD_REPORT_COVERAGE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "finding/coverage.h"

namespace fairlead::report {

struct Coverage {
  std::string program = {};
  uint64_t num_executions = 0;  // that were watched
  finding::Coverage counts = {};
  std::vector<finding::Growth> growth = {};
  // What ten more minutes (kMoreSeconds) would bring; none = not known.
  std::optional<finding::Estimate> estimate = {};
};

inline constexpr double kMoreSeconds = 600;

// How patterns of accesses are counted for people: those of the same number of
// steps between threads together, or each (iRoots, by idiom).
enum class Patterns { kGrouped, kEach };

std::string CoverageText(const Coverage& coverage, Patterns patterns);
Json CoverageJson(const Coverage& coverage);

// Conflicting pairs of source lines.
std::string LinesText(const Coverage& coverage);
Json LinesJson(const Coverage& coverage);

// "executions,seconds,exposed", one line for each time something was new.
std::string GrowthCsv(const Coverage& coverage);
std::string GrowthSvg(const Coverage& coverage);

}  // namespace fairlead::report

#endif  // FAIRLEAD_REPORT_COVERAGE_H_
