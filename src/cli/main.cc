// The command line of Fairlead. One file per subcommand; this one puts them
// together and turns every way out into an exit code.

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>

#include <exception>
#include <span>
#include <sstream>

#include "base/exit_code.h"
#include "base/file_size_signal.h"
#include "base/log.h"
#include "base/roomy_stack.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/completion.h"
#include "cli/init.h"
#include "cli/print.h"
#include "cli/usage.h"

namespace fairlead::cli {
namespace {

constexpr char kExamples[] =
    "Examples:\n"
    "  fairlead test -- ./app          look for bugs, for a minute\n"
    "  fairlead bugs                   what was found so far\n"
    "  fairlead show 1                 what happened, in which order\n"
    "  fairlead replay 1               the same failure again\n"
    "  fairlead help --all             every verb, also those for experts\n"
    "\n"
    "Exit codes: 0 nothing found, 1 findings, 2 usage, 3 environment,\n"
    "4 unknown (cut, diverged, interrupted), 70 a bug in fairlead.\n";

// Takes what follows the first `--` away from `arguments`.
void SplitProgram(std::vector<std::string>& arguments, Invocation& invocation) {
  const auto dashes = std::ranges::find(arguments, "--");
  if (dashes == arguments.end()) return;
  invocation.has_program = true;
  invocation.program.assign(dashes + 1, arguments.end());
  arguments.erase(dashes, arguments.end());
}

ExitCode Main(std::vector<std::string> arguments) {
  Invocation invocation;
  SplitProgram(arguments, invocation);
  CLI::App app("Finds, reproduces and explains concurrency bugs in C and C++.",
               "fairlead");
  app.set_version_flag("--version", "fairlead " + Version());
  app.footer(kExamples);
  app.require_subcommand(0, 1);
  AddInit(app, invocation);
  AddTest(app, invocation);
  AddBugs(app, invocation);
  AddShow(app, invocation);
  AddReplay(app, invocation);
  AddReport(app, invocation);
  AddExport(app, invocation);
  AddCheckFix(app, invocation);
  AddMinimize(app, invocation);
  AddCoverage(app, invocation);
  AddFacts(app, invocation);
  AddGuard(app, invocation);
  AddRun(app, invocation);
  AddForce(app, invocation);
  AddPredict(app, invocation);
  AddTrace(app, invocation);
  AddCheckHistory(app, invocation);
  AddDoctor(app, invocation);
  AddCompletion(app, invocation);
  AddHelp(app, invocation);
  RefuseEmptyValues(app);
  try {
    std::ranges::reverse(arguments);  // CLI11 takes them from the back
    app.parse(arguments);
  } catch (const CLI::ParseError& failure) {
    if (failure.get_exit_code() == 0) {
      std::ostringstream text;  // of --help or --version
      app.exit(failure, text, text);
      Print(stdout, text.str());
      return ExitCode::kNothingFound;
    }
    return Tell(UsageError(failure, app, invocation), Form::kText);
  }
  if (!invocation.action) {
    Print(stdout, app.help());
    return ExitCode::kUsage;
  }
  return invocation.action();
}

// Results that could not be printed are lost: that is told, and decides; unless
// the command has seen it, and told so itself.
ExitCode AfterPrinting(ExitCode code) {
  if (code == ExitCode::kEnvironment) return code;
  if (Flush(stdout) && ferror(stdout) == 0) return code;
  const int why = LostBecause() != 0 ? LostBecause() : EIO;
  return Tell(SystemError(why, "cannot write to standard output"), Form::kText);
}

// Standard streams that we were started without keep their numbers: otherwise
// the first file that is opened would get what is printed. Whoever reads or
// writes this fails, as if it was closed; programs get it closed.
void ReserveStandardStreams() {
  for (int fd = 0; fd < 3; ++fd) {
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
      [[maybe_unused]] const int same = open("/", O_PATH | O_CLOEXEC);
    }
  }
}

ExitCode MainAndOutput(std::vector<std::string> arguments) {
  try {
    return AfterPrinting(Main(std::move(arguments)));
  } catch (const std::exception& failure) {
    // Printing to a full disk may throw.
    if (ferror(stdout) != 0) return AfterPrinting(ExitCode::kOurBug);
    Fail("bug in fairlead: {}", failure.what());
    return ExitCode::kOurBug;
  }
}

}  // namespace
}  // namespace fairlead::cli

int main(int argc, char** argv) {
  fairlead::cli::ReserveStandardStreams();
  fairlead::IgnoreFileSizeSignal();
  const auto call = [&] {
    return static_cast<int>(fairlead::cli::MainAndOutput(
        std::vector<std::string>(argv + 1, argv + argc)));
  };
  return fairlead::CallWithRoom(
      call, static_cast<int>(fairlead::ExitCode::kEnvironment));
}
