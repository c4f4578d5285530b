// report/history.h
//
// What is said of a history that was checked: whether some order of its
// operations gives its answers, and why not.

#ifndef FAIRLEAD_REPORT_HISTORY_H_
#define FAIRLEAD_REPORT_HISTORY_H_

#include <string>
#include <vector>

#include "base/json.h"
#include "lin/check.h"

namespace fairlead::report {

struct CheckedHistory {
  std::string file = {};
  std::string model = {};
  double seconds = 0;
  lin::Checked checked = {};
};

std::string HistoryText(const CheckedHistory& history);
Json HistoriesJson(const std::vector<CheckedHistory>& histories);

}  // namespace fairlead::report

#endif  // FAIRLEAD_REPORT_HISTORY_H_
