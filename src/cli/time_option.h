// cli/time_option.h
//
// How long, as people write it: "90", "90s", "1.5m", "2h".

#ifndef FAIRLEAD_CLI_TIME_OPTION_H_
#define FAIRLEAD_CLI_TIME_OPTION_H_

#include <chrono>
#include <string>

#include "base/result.h"

namespace fairlead::cli {

// Whether "0" may be written.
enum class NoTime { kRefused, kAllowed };

// `option` is told in what is wrong.
Result<std::chrono::nanoseconds> ParseTime(const std::string& option,
                                           const std::string& text,
                                           NoTime no_time = NoTime::kRefused);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_TIME_OPTION_H_
