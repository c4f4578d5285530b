#include "cli/debugger.h"

#include <fmt/core.h>
#include <unistd.h>

#include "base/subprocess.h"
#include "explore/run/program.h"

namespace fairlead::cli {
namespace {

using explore::Executed;

// gdb tells programs the size of its own terminal by these; the program is to
// have the environment that it has without gdb.
constexpr std::string_view kSizes[] = {"LINES", "COLUMNS"};

std::string CommandFor(std::string_view variable,
                       const std::vector<std::string>& environment) {
  const std::string prefix = fmt::format("{}=", variable);
  for (const std::string& entry : environment) {
    if (!entry.starts_with(prefix)) continue;
    return fmt::format("set environment {} = {}", variable,
                       entry.substr(prefix.size()));
  }
  return fmt::format("unset environment {}", variable);
}

// Beside the runtime.
Result<std::string> FindScript() {
  const Result<std::string> directory = OwnDirectory();
  if (!directory) return directory.error();
  std::string path = *directory + "/../lib/fairlead/fairlead.gdb";
  if (access(path.c_str(), R_OK) != 0) {
    return Error(ErrorCode::kEnvironment)
        .Say("the commands for gdb are missing: {}", path)
        .Hint("install fairlead again, as a whole");
  }
  return path;
}

// The process that was waited for is gdb; the runtime knows how the program
// ended.
Status TellEnd(Executed& executed) {
  abi::Outcome& outcome = executed.outcome;
  // A misuse does not end a program; who leaves gdb there has seen it.
  if (outcome.status == abi::Status::kRunning &&
      outcome.misuse != abi::Misuse::kNone) {
    outcome.status = abi::Status::kMisuse;
  }
  executed.ending = {};
  switch (outcome.status) {
    case abi::Status::kNotStarted:
      return Error(ErrorCode::kUnknown).Say("the program was not run in gdb");
    case abi::Status::kRunning:
      return Error(ErrorCode::kUnknown)
          .Say("gdb was left before the program had ended");
    case abi::Status::kReplaced:
      return Error(ErrorCode::kUnknown)
          .Say("the program became another one, whose end is not known");
    case abi::Status::kSignaled:
      executed.ending.signal = outcome.signal;
      return {};
    default:
      executed.ending.exit_code = outcome.exit_code;
      return {};
  }
}

}  // namespace

Result<Executed> ExecuteInGdb(explore::Order order,
                              const std::vector<std::string>& arguments) {
  const std::string gdb = explore::FindOnPath("gdb");
  if (gdb.empty()) {
    return Error(ErrorCode::kEnvironment)
        .Say("gdb is not on the PATH")
        .Hint("apt-get install gdb");
  }
  const Result<std::string> script = FindScript();
  if (!script) return script.error();
  order.plan.carrier = abi::CarrierId::kThread;
  order.plan.flags |= abi::kPlanDebugger;
  order.timeout = {};
  order.through = {gdb, "-q", "-x", *script};
  for (const std::string_view variable : kSizes) {
    order.through.emplace_back("-ex");
    order.through.push_back(CommandFor(variable, order.environment));
  }
  order.through.insert(order.through.end(), arguments.begin(), arguments.end());
  order.through.emplace_back("--args");
  Result<Executed> executed = explore::Execute(order);
  if (!executed) return executed.error();
  if (Status ended = TellEnd(*executed); !ended) return ended.error();
  return executed;
}

}  // namespace fairlead::cli
