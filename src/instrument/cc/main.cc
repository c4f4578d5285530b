// instrument/cc/main.cc
//
// fairlead-cc and fairlead-c++: clang 19 that also instruments.  Replaces
// itself with clang, so that messages, exit status and signals are clang's own.

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "instrument/cc/choose.h"
#include "instrument/cc/pass_id.h"
#include "instrument/cc/surroundings.h"

namespace fairlead::cc {
namespace {

constexpr std::string_view kHelp =
    R"(usage: {0} [clang options] file...

Compiles and links like {1}, and instruments C and C++ for Fairlead.  Takes
every option of clang 19, and:

  --fairlead-help           this text
  --fairlead-version        the version of Fairlead
  --fairlead-off            only run clang, add nothing
  --fairlead-print-command  print the command instead of running it

Environment:
  FAIRLEAD_CC_OFF=1  the same as --fairlead-off
  FAIRLEAD_CLANG     the clang 19 to run
  FAIRLEAD_ROOT      the directory that names of files are relative to
                     (default: the nearest one under version control)

What is compiled from preprocessed input (a .i file, -save-temps) has other ids
on lines with macros, which are told by column; anchors, by which profiles and
schedules know a place, are the same. -fdirectives-only keeps both.
)";

DriverMode ModeOf(std::string_view name) {
  return name.ends_with("++") ? DriverMode::kCxx : DriverMode::kC;
}

// Quoted for a POSIX shell where it has to be.
std::string Quoted(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "_-+=:,./@%^";
  if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) {
    return std::string(word);
  }
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

void Print(const Command& command) {
  std::string line = Quoted(command.program);
  for (size_t i = 1; i < command.args.size(); ++i) {
    line += ' ' + Quoted(command.args[i]);
  }
  fmt::print("{}\n", line);
}

Result<int> Execute(const Command& command) {
  std::vector<char*> argv;
  for (const std::string& arg : command.args) {
    argv.push_back(const_cast<char*>(arg.c_str()));
  }
  argv.push_back(nullptr);
  execv(command.program.c_str(), argv.data());
  return Error(ErrorCode::kEnvironment)
      .Say("cannot run {}: {}", command.program, std::strerror(errno))
      .Hint("check the installation of clang 19");
}

Result<int> Drive(std::string_view name, std::vector<std::string> args) {
  Invocation invocation;
  invocation.mode = ModeOf(name);
  invocation.args = std::move(args);
  const char* off = std::getenv("FAIRLEAD_CC_OFF");
  invocation.switched_off =
      off != nullptr && *off != '\0' && std::string_view(off) != "0";
  std::error_code error;
  const std::string self =
      std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) {
    return Error(ErrorCode::kEnvironment)
        .Say("cannot tell where this program is: /proc/self/exe: {}",
             error.message())
        .Hint("mount /proc");
  }
  invocation.surroundings = LookAround(self, invocation.mode);

  Result<Command> command = ChooseArguments(invocation);
  if (!command) return command.error();
  switch (command->wish) {
    case Wish::kHelp:
      fmt::print(kHelp, name,
                 invocation.mode == DriverMode::kCxx ? "clang++" : "clang");
      return 0;
    case Wish::kVersion:
      fmt::print("{} {}\npass {}\n", name, FAIRLEAD_VERSION, kPassId);
      return 0;
    case Wish::kPrintCommand:
      Print(*command);
      return 0;
    case Wish::kRun:
      return Execute(*command);
  }
  return 0;
}

}  // namespace
}  // namespace fairlead::cc

int main(int argc, char** argv) {
  const std::string name =
      argc > 0 ? std::filesystem::path(argv[0]).filename() : "fairlead-cc";
  std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
  const fairlead::Result<int> code = fairlead::cc::Drive(name, std::move(args));
  if (code) return *code;
  fmt::print(stderr, "{}: {}\n", name, code.error().Text());
  return fairlead::ExitCodeOf(code.error().code());
}
