// The user's judge: a command that says whether an execution is right.

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/text.h"
#include "explore/judge/oracle.h"

namespace fairlead::explore {
namespace {

using finding::Kind;
using End = Judgement::End;

// A judge that came to no judgement says nothing about the program.
Opinion JudgeFailed(std::string_view how, std::string_view said) {
  said = Trim(said);
  return {.none = Judgement{
              .end = End::kUnable,
              .error = Error(ErrorCode::kEnvironment)
                           .Say("the judge {}{}{}", how,
                                said.empty() ? "" : ": ", Split(said, '\n')[0])
                           .Hint("it is given to sh -c; try it by hand")}};
}

// The signal that ended a command which sh has run; 0 = none. Of a command that
// is not its own process, sh tells by 128 and the number.
int SignalOf(const Ending& ending) {
  constexpr int kShell = 128;
  if (ending.signal != 0) return ending.signal;
  const int signal = ending.exit_code - kShell;
  return signal > 0 && signal <= SIGRTMAX ? signal : 0;
}

class CommandOracle final : public Oracle {
 public:
  CommandOracle(std::string command,
                std::optional<std::chrono::nanoseconds> limit)
      : command_(std::move(command)), limit_(limit) {}

  Opinion Judge(const Evidence& evidence) override;

 private:
  std::string command_;
  std::optional<std::chrono::nanoseconds> limit_;
};

Opinion CommandOracle::Judge(const Evidence& evidence) {
  const Finished& finished = evidence.finished;
  const Ending& ending = finished.executed.ending;
  const Fd nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  // In a group of its own: what the user types is meant for us.
  Command command = {.argv = {"sh", "-c", command_},
                     .environment = OwnEnvironment(),
                     .directory = finished.directory,
                     .group = ProcessGroup::kOwn,
                     .standard_input = nothing.get(),
                     .inherited = {}};
  // The judge reads the files as this process has them open.
  const auto path = [](int fd) {
    return fmt::format("/proc/{}/fd/{}", getpid(), fd);
  };
  command.environment.push_back(
      fmt::format("FAIRLEAD_EXIT_CODE={}", ending.exit_code));
  command.environment.push_back(
      fmt::format("FAIRLEAD_SIGNAL={}", ending.signal));
  command.environment.push_back("FAIRLEAD_STDOUT=" +
                                path(finished.output->output_fd()));
  command.environment.push_back("FAIRLEAD_STDERR=" +
                                path(finished.output->error_fd()));
  const Result<Capture> answer = RunToEnd(std::move(command), limit_);
  if (!answer) return JudgeFailed("cannot be run", answer.error().Text());
  if (answer->cut == Enough::kUser)
    return {.none = Judgement{.end = End::kStopped}};
  if (answer->cut == Enough::kTime) {
    return {.none = Judgement{.end = End::kCut,
                              .reason = "the judge did not answer in time"}};
  }
  if (answer->ending.exit_code == 0) return {};
  if (const int signal = SignalOf(answer->ending); signal != 0) {
    return JudgeFailed("was ended by " + SignalName(signal), answer->err);
  }
  if (answer->ending.exit_code == 126 || answer->ending.exit_code == 127) {
    return JudgeFailed("cannot be run", answer->err);
  }
  const std::string first(Split(answer->out, '\n')[0]);
  const auto details =
      first.empty() ? std::vector<std::string>{} : std::vector{first};
  return {.failures = {PlainFailure(Kind::kJudge, first, details)}};
}

}  // namespace

std::unique_ptr<Oracle> MakeCommandOracle(const OracleSetting& setting) {
  const Expectations& expectations = setting.expectations;
  if (expectations.judge.empty()) return nullptr;
  return std::make_unique<CommandOracle>(expectations.judge,
                                         expectations.judge_limit);
}

}  // namespace fairlead::explore
