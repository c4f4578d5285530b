// explore/run/repeated_input.h
//
// Our own standard input, for programs that are run again and again and must
// find the same in it each time.

#ifndef FAIRLEAD_EXPLORE_RUN_REPEATED_INPUT_H_
#define FAIRLEAD_EXPLORE_RUN_REPEATED_INPUT_H_

#include "base/file.h"
#include "base/result.h"

namespace fairlead::explore {

class RepeatedInput {
 public:
  // A file is opened anew each time; what comes through a pipe is read to its
  // end, once; from anything else, such as a terminal, nothing is read.
  static Result<RepeatedInput> OfOurs();

  // A descriptor that begins where ours did.
  Fd Open() const;

 private:
  RepeatedInput(Fd kept, off_t begin) : kept_(std::move(kept)), begin_(begin) {}

  Fd kept_;  // a file, or /dev/null
  off_t begin_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_RUN_REPEATED_INPUT_H_
