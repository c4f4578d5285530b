// runtime/company/code_range.h
//
// Where a library that is linked into the program begins and ends: found from
// the names that it exports, as its objects lie side by side.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_COMPANY_CODE_RANGE_H_
#define FAIRLEAD_RUNTIME_COMPANY_CODE_RANGE_H_

#include <stdint.h>

namespace fairlead::rt {

struct CodeRange {
  uint64_t begin = 0;
  uint64_t end = 0;  // of the last function's first byte; equal to begin = none

  bool Holds(const void* pc) const {
    return reinterpret_cast<uint64_t>(pc) - begin < end - begin;
  }
};

// The range from the first to the last function whose name `is_wanted`, among
// those that the object around `function` exports.
CodeRange RangeOfFunctions(const void* function,
                           bool (*is_wanted)(const char* name));

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_COMPANY_CODE_RANGE_H_
