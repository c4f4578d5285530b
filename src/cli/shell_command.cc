#include "cli/shell_command.h"

#include <chrono>

#include "base/printable.h"
#include "base/subprocess.h"
#include "base/text.h"

namespace fairlead::cli {

Status CheckShellCommand(std::string_view option, const std::string& command) {
  if (command.empty()) return {};
  const Result<Capture> read = RunToEnd({.argv = {"sh", "-n", "-c", command},
                                         .environment = OwnEnvironment(),
                                         .group = ProcessGroup::kOwn},
                                        std::chrono::seconds(10));
  if (!read) return read.error();
  if (read->cut != Enough::kNo || read->ending.exit_code == 0) return {};
  return Error(ErrorCode::kUsage)
      .Say("{} {}: sh cannot read this command: {}", option,
           ShellQuote(command), PrintableLine(std::string(Trim(read->err))))
      .Hint("try it in a shell; quotes and parentheses come in pairs");
}

}  // namespace fairlead::cli
