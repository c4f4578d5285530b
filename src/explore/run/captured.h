// explore/run/captured.h
//
// What a program prints during an execution, kept for oracles and reports. Its
// streams are files in memory rather than pipes: writing to them never waits,
// so they cannot change who goes on.
//
// Unsound: what lies beyond kMaxKept is counted, not kept.

#ifndef FAIRLEAD_EXPLORE_RUN_CAPTURED_H_
#define FAIRLEAD_EXPLORE_RUN_CAPTURED_H_

#include <cstdint>
#include <string>

#include "base/file.h"
#include "base/result.h"

namespace fairlead::explore {

class Captured {
 public:
  // Of one stream: enough for a report of a sanitizer with all its stacks.
  static constexpr uint64_t kMaxKept = 1u << 20;
  // A program that prints more than this in one execution is ended: the memory
  // is the machine's.
  static constexpr uint64_t kMaxPrinted = 256u << 20;

  static Result<Captured> Create();

  // Descriptors for the program: standard output and standard error.
  int output_fd() const { return output_.get(); }
  int error_fd() const { return error_.get(); }

  // What has been printed by now belongs to every execution: `Clear` keeps it.
  // For what a fork server printed before it came to stand.
  void KeepPrinted();

  // Forgets what was printed; call it while no program has the descriptors, or
  // before a forked one starts to print.
  void Clear();

  // What was printed so far, up to kMaxKept.
  std::string Output() const;
  std::string Error() const;

  // Bytes printed on both streams.
  uint64_t num_bytes() const;

 private:
  Captured(Fd output, Fd error)
      : output_(std::move(output)), error_(std::move(error)) {}

  Fd output_;
  Fd error_;
  uint64_t kept_output_ = 0;  // bytes at the front that `Clear` keeps
  uint64_t kept_error_ = 0;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_RUN_CAPTURED_H_
