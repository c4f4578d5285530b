#include "cli/rerun.h"

#include <sys/stat.h>
#include <unistd.h>

#include <memory>

#include "base/log.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/facts.h"
#include "cli/findings.h"
#include "cli/shell_command.h"
#include "explore/campaign/request_runs.h"

namespace fairlead::cli {
std::string TextOf(const Json& setting, const char* key) {
  const auto found = setting.find(key);
  return found != setting.end() && found->is_string()
             ? found->get<std::string>()
             : "";
}

Status Rerun::Prepare() {
  const Result<store::FindingId> id = ParseFindingId(options_.id);
  if (!id) return id.error();
  id_ = *id;
  Result<std::unique_ptr<store::Store>> store =
      store::OpenStore(options_.store, store::IfMissing::kFail);
  if (!store) return store.error();
  Result<store::StoredFinding> stored = (*store)->Load(id_);
  if (!stored) return stored.error();
  stored_ = *std::move(stored);
  if (!stored_.finding.witness.schedule) {
    return Error(ErrorCode::kNotFound)
        .Say("finding {} has no schedule to follow", options_.id);
  }
  if (Status chosen = ChooseJudge(); !chosen) return chosen;
  if (Status chosen = ChooseBefore(); !chosen) return chosen;
  return PrepareProgram();
}

// A store may come from anywhere: a command in it is run only if the user says
// so, having seen it. Findings that no judge has made need none.
Status Rerun::ChooseJudge() {
  if (stored_.finding.kind != finding::Kind::kJudge) return {};
  const std::string stored = TextOf(stored_.setting, "judge");
  if (Status can = CheckShellCommand("--judge", options_.judge); !can) {
    return can;
  }
  judge_ = options_.judge;
  if (judge_.empty() && options_.allow_stored_commands) judge_ = stored;
  if (!judge_.empty() || options_.gdb) return {};
  return Error(ErrorCode::kUsage)
      .Say(
          "finding {} needs its judge, a command that is kept in the store: {}",
          options_.id, stored)
      .Hint(
          "give it again with --judge, or run that one with "
          "--allow-stored-commands");
}

// The same for the command that puts things right before each execution.
Status Rerun::ChooseBefore() {
  const std::string stored = TextOf(stored_.setting, "before");
  before_ = options_.before;
  if (before_.empty() && options_.allow_stored_commands) before_ = stored;
  if (!before_.empty() || stored.empty() || options_.gdb) return {};
  return Error(ErrorCode::kUsage)
      .Say(
          "a command was run before each execution, which is kept in the "
          "store: {}",
          stored)
      .Hint(
          "give it again with --before, or run that one with "
          "--allow-stored-commands");
}

// The program is named by the store as well. Whose store is the user's own has
// chosen it before; in one of somebody else's, it may be any.
Status Rerun::AllowProgram(const std::string& path) const {
  const std::vector<std::string>& argv =
      stored_.finding.witness.schedule->identity.argv;
  std::vector<std::string> command = {path};
  if (!argv.empty())
    command.insert(command.end(), argv.begin() + 1, argv.end());
  struct stat store = {};
  const bool own =
      stat(options_.store.c_str(), &store) == 0 && store.st_uid == geteuid();
  if (own || options_.allow_stored_commands) {
    Note("runs {}", ShellCommand(command));
    return {};
  }
  return Error(ErrorCode::kUsage)
      .Say("the store {} is not yours, and would have this run: {}",
           options_.store, ShellCommand(command))
      .Hint("--allow-stored-commands runs it");
}

// Beside the store, so that a directory can be moved as a whole; else, for a
// store that was copied alone, where the program was when it was tested.
std::string Rerun::PathOfProgram() const {
  std::string beside =
      store::ProgramPath(stored_.build.program, options_.store);
  std::string tested = TextOf(stored_.setting, "program");
  if (tested.empty() || access(beside.c_str(), F_OK) == 0 ||
      access(tested.c_str(), F_OK) != 0) {
    return beside;
  }
  return tested;
}

Status Rerun::PrepareProgram() {
  const std::string path = PathOfProgram();
  if (Status allowed = AllowProgram(path); !allowed) return allowed;
  Result<explore::Program> program = explore::InspectProgram(path);
  if (!program) return program.error();
  Result<std::string> runtime = explore::FindRuntime();
  if (!runtime) return runtime.error();
  const trace::Schedule& schedule = *stored_.finding.witness.schedule;
  setting_ = {.program = *std::move(program),
              .argv = schedule.identity.argv,
              .environment = OwnEnvironment(),
              .runtime = *std::move(runtime),
              .stdin_path = TextOf(stored_.setting, "stdin"),
              .jobs = 1};
  trace::Identity now = explore::IdentityOf(setting_.program, setting_.argv,
                                            setting_.environment);
  now.stdin_digest = schedule.identity.stdin_digest;
  now.point_set = schedule.identity.point_set;
  const std::string problem = trace::IdentityProblem(schedule.identity, now);
  if (!problem.empty() && !options_.force) {
    return Error(ErrorCode::kOtherProgram)
        .Say("finding {} was seen in another build: {}", options_.id, problem)
        .Hint("find it again with fairlead test, or --force");
  }
  doubt_ =
      problem.empty() ? trace::IdentityDoubt(schedule.identity, now) : problem;
  if (!doubt_.empty()) Warn("{}", doubt_);
  const auto fresh = stored_.setting.find("fresh_dir");
  Result<std::optional<Scratch>> scratch =
      PrepareScratch(fresh != stored_.setting.end() && *fresh == true,
                     options_.store, setting_.workplace);
  if (!scratch) return scratch.error();
  scratch_ = *std::move(scratch);
  setting_.workplace.before = before_;
  const std::string directory = TextOf(stored_.setting, "directory");
  if (!directory.empty() && chdir(directory.c_str()) != 0) {
    Warn("{} is not there any more; the program runs here", directory);
  }
  return {};
}

explore::Expectations Rerun::ExpectationsOf() const {
  explore::Expectations expectations;
  const Json& setting = stored_.setting;
  if (const auto ok = setting.find("ok_exits");
      ok != setting.end() && ok->is_array()) {
    for (const Json& code : *ok) {
      if (code.is_number_integer()) expectations.ok_exits.push_back(code);
    }
  }
  expectations.judge = judge_;
  expectations.sanitized = !setting_.program.sanitizers.Names().empty();
  // What was wrong about the output is not kept, but the output is: it must be
  // the same again.
  if (stored_.finding.kind == finding::Kind::kOutput) {
    expectations.output = stored_.finding.witness.output;
  }
  if (explore::IsAboutRequests(stored_.finding.kind)) {
    expectations.requests = explore::MakeRequestReferences(
        {.setting = setting_, .ok_exits = expectations.ok_exits});
    expectations.requests->comparison() = ComparisonBeside(options_.store);
  }
  return expectations;
}

explore::Repetition Rerun::RepetitionOf() const {
  const trace::Schedule& schedule = *stored_.finding.witness.schedule;
  explore::Repetition repetition;
  repetition.schedule = &schedule;
  repetition.driven = !TextOf(stored_.setting, "drive").empty();
  repetition.carrier = CarrierOf(options_.carrier);
  if (const auto timeout = stored_.setting.find("timeout");
      timeout != stored_.setting.end() && timeout->is_number()) {
    repetition.timeout = TimeLimit(timeout->get<double>());
  }
  return repetition;
}

}  // namespace fairlead::cli
