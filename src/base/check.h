// base/check.h
//
// FL_CHECK(condition, message, args...): what must hold unless we are wrong.
// On in release. A failure prints the message, what the process was doing
// (`DoingNow`), and ends it with exit code 70, so that a bug of ours never
// looks like a finding. Not for bad input: that is a Result.

#ifndef FAIRLEAD_BASE_CHECK_H_
#define FAIRLEAD_BASE_CHECK_H_

#include <fmt/core.h>

#include <string>
#include <string_view>

namespace fairlead {

// Says what is going on, for the message of a failing check, until destroyed.
class DoingNow {
 public:
  explicit DoingNow(std::string what);
  ~DoingNow();
  DoingNow(const DoingNow&) = delete;
  DoingNow& operator=(const DoingNow&) = delete;

 private:
  friend std::string DoingText();
  std::string what_;
  DoingNow* outer_;
};

[[noreturn]] void FailCheck(std::string_view condition, const char* file,
                            int line, const std::string& message);

#define FL_CHECK(condition, ...)                            \
  do {                                                      \
    if (!(condition)) [[unlikely]] {                        \
      ::fairlead::FailCheck(#condition, __FILE__, __LINE__, \
                            ::fmt::format("" __VA_ARGS__)); \
    }                                                       \
  } while (false)

}  // namespace fairlead

#endif  // FAIRLEAD_BASE_CHECK_H_
