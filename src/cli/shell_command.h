// cli/shell_command.h
//
// Commands of the user's that sh runs for us (--judge, --client, --before).

#ifndef FAIRLEAD_CLI_SHELL_COMMAND_H_
#define FAIRLEAD_CLI_SHELL_COMMAND_H_

#include <string>
#include <string_view>

#include "base/result.h"

namespace fairlead::cli {

// An error if sh cannot read `command`: what it says of one, an exit code, is
// otherwise taken for an answer of the command. "" is no command, and right.
Status CheckShellCommand(std::string_view option, const std::string& command);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_SHELL_COMMAND_H_
