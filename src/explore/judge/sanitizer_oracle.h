// explore/judge/sanitizer_oracle.h
//
// What a sanitizer prints on standard error.

#ifndef FAIRLEAD_EXPLORE_JUDGE_SANITIZER_ORACLE_H_
#define FAIRLEAD_EXPLORE_JUDGE_SANITIZER_ORACLE_H_

#include <string>
#include <string_view>

namespace fairlead::explore {

// The line that says what a sanitizer found; "" = there is no report in `text`.
std::string SanitizerLine(std::string_view text);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_JUDGE_SANITIZER_ORACLE_H_
