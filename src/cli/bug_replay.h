// cli/bug_replay.h
//
// `fairlead replay bug.flbug -- ./app`: on the same build by the exact
// schedule, on another one by the orders that are enough.

#ifndef FAIRLEAD_CLI_BUG_REPLAY_H_
#define FAIRLEAD_CLI_BUG_REPLAY_H_

#include <string>
#include <vector>

#include "base/exit_code.h"
#include "cli/bug_subject.h"
#include "cli/rerun.h"

namespace fairlead::cli {

Result<ExitCode> ReplayBug(const ReplayOptions& options,
                           const std::vector<std::string>& program);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_BUG_REPLAY_H_
