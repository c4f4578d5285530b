// cli/debugger.h
//
// An execution inside gdb, for `run --gdb` and `replay --gdb`: on kernel
// threads that bear the names of the program's, without limits of time, and
// with a breakpoint where the execution fails. The schedule is the same as
// without.

#ifndef FAIRLEAD_CLI_DEBUGGER_H_
#define FAIRLEAD_CLI_DEBUGGER_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "explore/run/execution.h"

namespace fairlead::cli {

// Carries out `order` in gdb, with `arguments` for gdb besides ours. An
// execution that was left before its end is an error, unless it had failed by
// then.
Result<explore::Executed> ExecuteInGdb(
    explore::Order order, const std::vector<std::string>& arguments);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_DEBUGGER_H_
