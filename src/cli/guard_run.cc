// `fairlead guard run`: the program itself takes the place of this process,
// with the guard library and its rules.

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "abi/guard_board.h"
#include "base/file.h"
#include "base/file_size_signal.h"
#include "base/log.h"
#include "base/printable.h"
#include "base/subprocess.h"
#include "base/text.h"
#include "cli/facts.h"
#include "cli/guard.h"
#include "cli/guard_facts.h"
#include "cli/print.h"
#include "explore/run/program.h"
#include "store/store.h"

namespace fairlead::cli {
namespace {

namespace fs = std::filesystem;

// An option of the library is a word without commas.
Status AddText(std::string& words, std::string_view name,
               const std::string& text) {
  if (text.empty()) return {};
  if (text.contains(',') || text.size() >= abi::kGuardPathBytes) {
    return Error(ErrorCode::kUsage)
        .Say("the path '{}' cannot be used", text)
        .Hint("give one without a comma, and of fewer than 256 bytes");
  }
  words += fmt::format(",{}={}", name, fs::absolute(text).string());
  return {};
}

Result<std::string> OptionsOf(const GuardRunOptions& options,
                              const std::string& log) {
  std::string words = fmt::format(
      "stall_us={},budget_ms={},memory_mb={},observe={},delay_us={},"
      "off_signal={}",
      options.stall_us, options.budget_ms, options.memory_mb,
      options.observe ? 1 : 0, options.delay_us, options.off_signal);
  if (Status added = AddText(words, "log", log); !added) return added.error();
  if (Status added = AddText(words, "off_file", options.off_file); !added) {
    return added.error();
  }
  return words;
}

// Signals 32 and 33 are the C library's own.
Status CheckNumbers(const GuardRunOptions& options) {
  const uint64_t signal = options.off_signal;
  if (signal == SIGKILL || signal == SIGSTOP || signal == 32 || signal == 33 ||
      signal > 64) {
    return Error(ErrorCode::kUsage)
        .Say("--off-signal {}: no program can wait for that signal", signal)
        .Hint("take one that yours has no use for, such as {} (SIGUSR2)",
              SIGUSR2);
  }
  constexpr uint64_t kMostMemory = uint64_t{1} << 20;
  if (options.memory_mb == 0 || options.memory_mb > kMostMemory) {
    return Error(ErrorCode::kUsage)
        .Say("--memory-mb {}: from 1 to {}", options.memory_mb, kMostMemory);
  }
  return {};
}

Result<analysis::BelongingSets> LearntSets(const GuardRunOptions& options,
                                           const std::string& program) {
  std::vector<fact::Fact> kept;
  Result<std::unique_ptr<store::Store>> store =
      store::OpenStoreToRead(options.store);
  if (store) {
    Result<std::vector<fact::Fact>> facts = (*store)->Facts();
    if (!facts) return facts.error();
    kept = *std::move(facts);
  } else if (store.error().code() != ErrorCode::kNotFound) {
    return store.error();
  }
  const Result<std::vector<fact::Fact>> written =
      WrittenFacts(options.facts, "", Noise::kQuiet);
  if (!written) return written.error();
  return SetsOfFacts(fact::Merge(*written, kept).facts, program);
}

// Rules that are as they were stay the file that they were: other processes
// may be reading it.
Status WriteRules(const std::string& path, const std::string& rules) {
  const Result<std::string> before = ReadFile(path);
  if (before && *before == rules) return {};
  return WriteFile(path, rules);
}

}  // namespace

Result<std::string> FindGuard() {
  const Result<std::string> directory = OwnDirectory();
  if (!directory) return directory.error();
  std::error_code wrong;
  const std::string path = fs::canonical(
      *directory + "/../lib/fairlead/libfairlead_guard.so", wrong);
  if (wrong) {
    return Error(ErrorCode::kEnvironment)
        .Say(
            "the guard library is missing: {}/../lib/fairlead/"
            "libfairlead_guard.so",
            *directory)
        .Hint("install fairlead again, as a whole");
  }
  return path;
}

std::vector<std::string> GuardEnvironment(
    const std::string& library, const std::vector<std::string>& variables) {
  constexpr std::string_view kPreload = "LD_PRELOAD=";
  std::string preload = std::string(kPreload) + library;
  std::vector<std::string> environment;
  for (const std::string& one : OwnEnvironment()) {
    if (one.starts_with(kPreload)) {
      preload += ":" + one.substr(kPreload.size());
    } else if (!one.starts_with("FAIRLEAD_GUARD=") &&
               !one.starts_with("FAIRLEAD_GUARD_LEARN=") &&
               !one.starts_with("FAIRLEAD_GUARD_OPTIONS=")) {
      environment.push_back(one);
    }
  }
  environment.push_back(preload);
  environment.insert(environment.end(), variables.begin(), variables.end());
  return environment;
}

std::string GuardName(const std::string& path) {
  return fs::path(path).filename();
}

Result<std::string> GuardDirectory(const std::string& store) {
  std::error_code wrong;
  const fs::path directory = fs::absolute(store).parent_path() / "guard";
  fs::create_directories(directory, wrong);
  if (wrong) {
    return SystemError(wrong.value(),
                       fmt::format("cannot make {}", directory.string()));
  }
  return directory.string();
}

namespace {

// Becomes the program; comes back only if that fails.
Error Become(const explore::Program& program, Arguments argv,
             std::vector<std::string> environment) {
  std::vector<char*> given;
  for (std::string& word : argv) given.push_back(word.data());
  given.push_back(nullptr);
  std::vector<char*> surroundings;
  for (std::string& one : environment) surroundings.push_back(one.data());
  surroundings.push_back(nullptr);
  GiveBackFileSizeSignal();
  execve(program.path.c_str(), given.data(), surroundings.data());
  return SystemError(errno, fmt::format("cannot run {}", program.path));
}

}  // namespace

Result<ExitCode> GuardRun(const GuardRunOptions& options,
                          const Arguments& argv) {
  if (Status right = CheckNumbers(options); !right) return right.error();
  const Result<explore::Program> program = explore::InspectProgram(argv[0]);
  if (!program) return program.error();
  const std::string name = GuardName(program->path);
  const Result<analysis::BelongingSets> sets = LearntSets(options, name);
  if (!sets) return sets.error();
  if (sets->num_sites() == 0) {
    Warn(
        "nothing is known of {} that could be guarded: it runs unguarded; "
        "fairlead guard learn -- {} learns it, and threads that share no "
        "memory "
        "need no guard",
        name, PrintableLine(ShellCommand(argv)));
    // A service starts all the same; who asks for variables gets none.
    if (options.print_environment) return ExitCode::kNothingFound;
    return Become(*program, argv, OwnEnvironment());
  }
  const std::vector<uint64_t> missing = sets->Missing();
  if (!missing.empty()) {
    Warn(
        "the sets are not closed: {} (@{:x}, …) stand in a set and have none; "
        "what comes behind them is taken for something else",
        Counted(missing.size(), "site"), missing[0]);
  }
  const Result<std::string> directory = GuardDirectory(options.store);
  if (!directory) return directory.error();
  const std::string rules = fmt::format("{}/{}.rules", *directory, name);
  const Result<std::string> before = ReadFile(rules);
  const Status written =
      WriteRules(rules, RulesOf(*sets, name, !options.static_sets,
                                before ? AnchorsOfRulesUntrusted(*before)
                                       : std::vector<uint64_t>()));
  if (!written && !options.print_environment &&
      written.error().code() == ErrorCode::kNoSpace) {
    Warn("{}; the program runs unguarded", written.error().Text());
    return Become(*program, argv, OwnEnvironment());
  }
  if (!written) return written.error();
  const Result<std::string> library = FindGuard();
  if (!library) return library.error();
  const Result<std::string> words = OptionsOf(
      options, options.log.empty() ? fmt::format("{}/{}.log", *directory, name)
                                   : options.log);
  if (!words) return words.error();
  const std::vector<std::string> variables = {
      fmt::format("{}={}", abi::kGuardRulesVariable, rules),
      fmt::format("{}={}", abi::kGuardOptionsVariable, *words)};
  if (options.print_environment) {
    Print(stdout, fmt::format("LD_PRELOAD={}\n{}\n{}\n", *library, variables[0],
                              variables[1]));
    return ExitCode::kNothingFound;
  }
  return Become(*program, argv, GuardEnvironment(*library, variables));
}

}  // namespace fairlead::cli
