#include "cli/valgrind.h"

#include <algorithm>
#include <filesystem>

namespace fairlead::cli {
namespace {

bool UsesMemcheck(const std::vector<std::string>& options) {
  constexpr std::string_view kTool = "--tool=";
  return std::ranges::all_of(options, [&](const std::string& option) {
    return !option.starts_with(kTool) ||
           option.substr(kTool.size()) == "memcheck";
  });
}

}  // namespace

Result<Parts> TakeApart(std::vector<std::string> argv) {
  if (argv.empty() || std::filesystem::path(argv[0]).filename() != "valgrind") {
    return Parts{.through = {}, .argv = std::move(argv)};
  }
  const auto program = std::find_if(
      argv.begin() + 1, argv.end(),
      [](const std::string& word) { return !word.starts_with('-'); });
  if (program == argv.end()) {
    return Error(ErrorCode::kUsage)
        .Say("valgrind has no program to run")
        .Hint("fairlead run -- valgrind [OPTIONS] ./app");
  }
  Parts parts = {.through = {argv[0]}, .argv = {program, argv.end()}};
  // At the end valgrind lets libc free what it has kept, in the thread that
  // ends the process; in an execution that we have stopped, that never comes
  // back.
  parts.through.emplace_back("--run-libc-freeres=no");
  // A search for leaks would go through all of the address space that the
  // runtime has reserved; who asks for it gets it.
  if (UsesMemcheck({argv.begin() + 1, program})) {
    parts.through.emplace_back("--leak-check=no");
  }
  parts.through.insert(parts.through.end(), argv.begin() + 1, program);
  return parts;
}

}  // namespace fairlead::cli
