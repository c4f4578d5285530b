// report/forced.h
//
// What came of forcing one target, as lines of which the last says whether it
// was realised, and as JSON.

#ifndef FAIRLEAD_REPORT_FORCED_H_
#define FAIRLEAD_REPORT_FORCED_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "finding/target.h"
#include "report/execution.h"

namespace fairlead::report {

struct ForcedTarget {
  std::string result = {};  // "realised", "partly" or "not-reached"
  finding::Target target = {};
  uint64_t attempts = 0;
  uint64_t further = 0;  // attempts to see what comes of it
  bool stopped = false;  // by the user
  uint64_t steps_done = 0;
  uint64_t steps_in_sight = 0;
  std::vector<std::string> why = {};
  // With what leads to its steps; none = it did without.
  std::optional<finding::Target> prepared = {};
  Ended ended = {};  // the last execution; `exit` is that of the command
};

std::vector<std::string> ForcedLines(const ForcedTarget& forced);
Json ForcedJson(const ForcedTarget& forced);

}  // namespace fairlead::report

#endif  // FAIRLEAD_REPORT_FORCED_H_
