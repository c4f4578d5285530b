#include "cli/time_option.h"

#include <charconv>

namespace fairlead::cli {

Result<std::chrono::nanoseconds> ParseTime(const std::string& option,
                                           const std::string& text,
                                           NoTime no_time) {
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, text.data() + text.size());
  double seconds = -1;
  if (error == std::errc()) {
    if (unit.empty() || unit == "s") seconds = number;
    if (unit == "ms") seconds = number / 1e3;
    if (unit == "m" || unit == "min") seconds = number * 60;
    if (unit == "h") seconds = number * 3600;
  }
  // More than a year is a slip of the hand, and would overflow.
  const bool too_long = seconds > 366.0 * 86400;
  const bool none = seconds == 0 && no_time == NoTime::kAllowed;
  if ((!(seconds > 0) && !none) || too_long) {
    return Error(ErrorCode::kUsage)
        .Say("{}: '{}' is {}", option, text,
             too_long ? "longer than a year" : "no time")
        .Hint("write 60s, 10m or 1h");
  }
  return std::chrono::nanoseconds(static_cast<int64_t>(seconds * 1e9));
}

}  // namespace fairlead::cli
