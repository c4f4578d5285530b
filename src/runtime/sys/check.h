// runtime/sys/check.h
//
// RT_CHECK: what must hold unless the runtime itself is wrong; on in release.
// A failed check writes a line to standard error, marks the outcome as
// *internal*, publishes the events so far, and ends the process with code 70.
// Mistakes of the program are never checked here: they are events.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_SYS_CHECK_H_
#define FAIRLEAD_RUNTIME_SYS_CHECK_H_

#include <stdint.h>

namespace fairlead::rt {

// Writes "fairlead: <words>" and a newline to standard error, unless the plan
// asks for silence.
void Log(const char* words);

[[noreturn]] void CheckFailed(const char* file, int line, const char* condition,
                              uint64_t left, uint64_t right);

}  // namespace fairlead::rt

#define RT_CHECK(condition)                                                   \
  do {                                                                        \
    if (!(condition)) [[unlikely]] {                                          \
      ::fairlead::rt::CheckFailed(__FILE_NAME__, __LINE__, #condition, 0, 0); \
    }                                                                         \
  } while (false)

#define RT_CHECK_EQ(left, right)                                            \
  do {                                                                      \
    const auto rt_left = (left);                                            \
    const auto rt_right = (right);                                          \
    if (!(rt_left == rt_right)) [[unlikely]] {                              \
      ::fairlead::rt::CheckFailed(__FILE_NAME__, __LINE__,                  \
                                  #left " == " #right, (uint64_t)(rt_left), \
                                  (uint64_t)(rt_right));                    \
    }                                                                       \
  } while (false)

#endif  // FAIRLEAD_RUNTIME_SYS_CHECK_H_
