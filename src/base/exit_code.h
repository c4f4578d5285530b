// base/exit_code.h
//
// What `fairlead` and its subcommands exit with, everywhere.

#ifndef FAIRLEAD_BASE_EXIT_CODE_H_
#define FAIRLEAD_BASE_EXIT_CODE_H_

namespace fairlead {

enum class ExitCode : int {
  kNothingFound = 0,
  kFindings = 1,
  kUsage = 2,
  kEnvironment = 3,
  kUnknown = 4,  // budget spent, stream cut, replay diverged
  kOurBug = 70,  // EX_SOFTWARE: a crash of ours never looks like a finding
};

}  // namespace fairlead

#endif  // FAIRLEAD_BASE_EXIT_CODE_H_
