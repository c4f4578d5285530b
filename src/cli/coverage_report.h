// cli/coverage_report.h
//
// What `fairlead coverage` says, as text, JSON, CSV and SVG.

#ifndef FAIRLEAD_CLI_COVERAGE_REPORT_H_
#define FAIRLEAD_CLI_COVERAGE_REPORT_H_

#include <string>

#include "base/json.h"
#include "explore/plan/coverage.h"

namespace fairlead::cli {

struct CoverageReport {
  std::string program;
  const explore::Memo& memo;
  explore::Coverage coverage;
};

// How patterns of accesses are counted for people: those of the same number of
// steps between threads together, or each (iRoots, by idiom).
enum class Patterns { kGrouped, kEach };

std::string CoverageText(const CoverageReport& report, Patterns patterns);
Json CoverageJson(const CoverageReport& report);

// Conflicting pairs of source lines.
std::string LinesText(const CoverageReport& report);
Json LinesJson(const CoverageReport& report);

// "executions,seconds,exposed", one line for each time something was new.
std::string GrowthCsv(const explore::Memo& memo);
std::string GrowthSvg(const CoverageReport& report);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_COVERAGE_REPORT_H_
