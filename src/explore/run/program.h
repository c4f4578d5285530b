// explore/run/program.h
//
// The program under test, looked at before it is started: where it is, what it
// is, and whether it can be controlled at all. Saying no here costs a
// millisecond; finding out inside the process costs the user an hour.

#ifndef FAIRLEAD_EXPLORE_RUN_PROGRAM_H_
#define FAIRLEAD_EXPLORE_RUN_PROGRAM_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "explore/run/sanitizers.h"

namespace fairlead::explore {

struct Program {
  std::string path;  // absolute, links resolved
  uint64_t device = 0;
  uint64_t inode = 0;
  int64_t written_ns = 0;  // when the file was written last
  std::string build_id;    // lower-case hexadecimal; "" = none
  bool instrumented = false;
  size_t num_sites = 0;
  Sanitizers sanitizers = {};
};

// The first executable file called `name` in a directory of PATH; "" = none.
std::string FindOnPath(const std::string& name);

// Finds `name` as a shell would (a path, or on PATH) and refuses, each with its
// own sentence: what does not exist, a directory, what is not executable, a
// script or other text, 32-bit and foreign programs, object files and
// libraries, static programs, set-user-id programs, tables of a later version,
// sanitizers that leave no room for us.
Result<Program> InspectProgram(const std::string& name);

// Whether its file is still what was inspected: a campaign whose program is
// built anew would mix two programs, confirm what one did by the other, and
// name places by the wrong lines. The error ends it with the exit code of what
// is unknown.
Status CheckUnchanged(const Program& program);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_RUN_PROGRAM_H_
