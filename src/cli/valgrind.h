// cli/valgrind.h
//
// `fairlead run -- valgrind [OPTIONS] PROGRAM [ARGUMENTS]`: the program to be
// controlled is the one that valgrind runs.

#ifndef FAIRLEAD_CLI_VALGRIND_H_
#define FAIRLEAD_CLI_VALGRIND_H_

#include <string>
#include <vector>

#include "base/result.h"

namespace fairlead::cli {

// A command in two parts.
struct Parts {
  std::vector<std::string> through;  // valgrind and its options; empty = none
  std::vector<std::string> argv;     // the program and its arguments
};

// Takes `argv` apart. valgrind's options are the words that begin with a dash.
Result<Parts> TakeApart(std::vector<std::string> argv);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_VALGRIND_H_
