#include "cli/bug_subject.h"

#include <unistd.h>

#include "base/log.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/facts.h"
#include "cli/findings.h"
#include "cli/rerun.h"
#include "cli/shell_command.h"
#include "explore/campaign/request_runs.h"
#include "explore/names/schedule_of.h"

namespace fairlead::cli {
namespace {

Error NotWithout(std::string_view what, std::string_view stored,
                 std::string_view option) {
  return Error(ErrorCode::kUsage)
      .Say("the bug needs {}, and names a command for it: {}", what, stored)
      .Hint(
          "give it again with {}, or run that one with "
          "--allow-stored-commands",
          option);
}

}  // namespace

void AddBugOptions(CLI::App& command, BugOptions& options) {
  command.add_option("--judge", options.judge,
                     "The command that judges the output, for a finding that "
                     "a judge has made; as in fairlead test");
  command.add_option("--before", options.before,
                     "A command to run before each execution; as in fairlead "
                     "test");
  command.add_flag("--allow-stored-commands", options.allow_stored_commands,
                   "Run the commands that are kept with the bug: program, "
                   "arguments, judge, what is run before each execution; and "
                   "use its directory and standard input");
}

bool IsBugFile(const std::string& text) {
  return text.ends_with(".flbug") || text.find('/') != std::string::npos;
}

finding::BugFile BugFileOf(const store::StoredFinding& stored) {
  finding::BugFile bug = {.tool = stored.tool, .finding = stored.finding};
  const Json& setting = stored.setting;
  bug.command = {.directory = TextOf(setting, "directory"),
                 .input = TextOf(setting, "stdin"),
                 .before = TextOf(setting, "before"),
                 .judge = TextOf(setting, "judge")};
  if (const auto fresh = setting.find("fresh_dir"); fresh != setting.end()) {
    bug.command.fresh_directory = *fresh == true;
  }
  if (const auto timeout = setting.find("timeout");
      timeout != setting.end() && timeout->is_number()) {
    bug.command.timeout = timeout->get<double>();
  }
  if (const auto ok = setting.find("ok_exits");
      ok != setting.end() && ok->is_array()) {
    for (const Json& code : *ok) {
      if (code.is_number_integer()) bug.command.ok_exits.push_back(code);
    }
  }
  if (stored.explanation) {
    bug.finding.witness.schedule = stored.explanation->witness.schedule;
    bug.ordering = stored.explanation->ordering;
  }
  if (bug.finding.witness.schedule) {
    bug.command.argv = bug.finding.witness.schedule->identity.argv;
  }
  return bug;
}

Result<finding::BugFile> LoadBug(const std::string& text,
                                 const std::string& store_path) {
  if (IsBugFile(text)) return finding::LoadBugFile(text);
  const Result<store::FindingId> id = ParseFindingId(text);
  if (!id) return id.error();
  Result<std::unique_ptr<store::Store>> store =
      store::OpenStore(store_path, store::IfMissing::kFail);
  if (!store) return store.error();
  const Result<store::StoredFinding> stored = (*store)->Load(*id);
  if (!stored) return stored.error();
  return BugFileOf(*stored);
}

Status BugSubject::ChooseCommands(const BugOptions& options) {
  const finding::BugCommand& stored = bug_.command;
  const bool allowed = options.allow_stored_commands;
  expectations_.ok_exits = stored.ok_exits;
  if (Status can = CheckShellCommand("--judge", options.judge); !can) {
    return can;
  }
  expectations_.judge = options.judge;
  if (allowed && options.judge.empty()) expectations_.judge = stored.judge;
  if (bug_.finding.kind == finding::Kind::kJudge &&
      expectations_.judge.empty()) {
    return NotWithout("its judge", stored.judge, "--judge");
  }
  if (bug_.finding.kind == finding::Kind::kOutput) {
    expectations_.output = bug_.finding.witness.output;
  }
  setting_.workplace.before = options.before;
  if (allowed && options.before.empty()) {
    setting_.workplace.before = stored.before;
  }
  if (!stored.before.empty() && setting_.workplace.before.empty()) {
    return NotWithout("something to be run before it", stored.before,
                      "--before");
  }
  setting_.stdin_path = options.input;
  if (allowed && options.input.empty()) setting_.stdin_path = stored.input;
  if (!stored.input.empty() && setting_.stdin_path.empty()) {
    Warn("it was found with {} as standard input, which is empty now",
         PrintableLine(stored.input));
  }
  return {};
}

Status BugSubject::ChooseArguments(const std::vector<std::string>& program,
                                   const BugOptions& options) {
  const std::vector<std::string>& stored = bug_.command.argv;
  argv_ = program;
  if (argv_.empty() && options.allow_stored_commands) {
    argv_ = stored;
    Note("runs {}", ShellCommand(argv_));
    return {};
  }
  if (argv_.empty()) {
    return Error(ErrorCode::kUsage)
        .Say("no program; the bug was found with: {}", ShellCommand(stored))
        .Hint(
            "put it behind two dashes, or run that one with "
            "--allow-stored-commands");
  }
  if (argv_.size() == 1 && stored.size() > 1) {
    if (options.allow_stored_commands) {
      argv_.insert(argv_.end(), stored.begin() + 1, stored.end());
    } else {
      Warn("it was found with arguments, which are not given now: {}",
           ShellCommand(stored));
    }
  }
  return {};
}

Status BugSubject::Prepare(finding::BugFile bug,
                           const std::vector<std::string>& program,
                           const BugOptions& options) {
  bug_ = std::move(bug);
  if (!bug_.finding.witness.schedule) {
    return Error(ErrorCode::kNotFound).Say("the bug has no schedule");
  }
  if (Status chosen = ChooseArguments(program, options); !chosen) return chosen;
  if (Status chosen = ChooseCommands(options); !chosen) return chosen;
  Result<explore::Program> inspected = explore::InspectProgram(argv_[0]);
  if (!inspected) return inspected.error();
  Result<std::string> runtime = explore::FindRuntime();
  if (!runtime) return runtime.error();
  setting_.program = *std::move(inspected);
  setting_.argv = argv_;
  setting_.environment = OwnEnvironment();
  setting_.runtime = *std::move(runtime);
  setting_.jobs = 1;
  expectations_.sanitized = !setting_.program.sanitizers.Names().empty();
  const std::string& directory = bug_.command.directory;
  if (options.allow_stored_commands && !directory.empty() &&
      chdir(directory.c_str()) != 0) {
    Warn("{} is not there; the program runs here", PrintableLine(directory));
  }
  Result<std::optional<Scratch>> scratch = PrepareScratch(
      bug_.command.fresh_directory && options.allow_stored_commands,
      kDefaultStore, setting_.workplace);
  if (!scratch) return scratch.error();
  scratch_ = *std::move(scratch);
  const trace::Identity& recorded = bug_.finding.witness.schedule->identity;
  same_build_ = !recorded.builds.empty() &&
                !recorded.builds[0].build_id.empty() &&
                recorded.builds[0].build_id == setting_.program.build_id;
  free_ = *bug_.finding.witness.schedule;
  free_.choices.clear();
  free_.inputs.clear();
  if (!same_build_) free_.quiet = {};
  if (explore::IsAboutRequests(bug_.finding.kind)) {
    expectations_.requests = explore::MakeRequestReferences(
        {.setting = setting_, .ok_exits = expectations_.ok_exits});
    expectations_.requests->comparison() = ComparisonBeside(kDefaultStore);
  }
  return {};
}

explore::Subject BugSubject::Exact() const {
  return {.setting = setting_,
          .finding = &bug_.finding,
          .schedule = &*bug_.finding.witness.schedule,
          .expectations = expectations_,
          .timeout = TimeLimit(bug_.command.timeout)};
}

explore::Subject BugSubject::Free() const {
  explore::Subject subject = Exact();
  subject.schedule = &free_;
  return subject;
}

}  // namespace fairlead::cli
