#include "explore/judge/oracle.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include "base/digest.h"
#include "base/text.h"
#include "explore/judge/outcome_oracle.h"
#include "finding/fingerprint.h"
#include "finding/printed.h"
#include "finding/sanitizer_report.h"

namespace fairlead::explore {
namespace {

using finding::Kind;
using End = Judgement::End;

Judgement Failed(Failure failure) {
  return {.end = End::kFailed, .failure = std::move(failure)};
}

// The first line in which two texts differ, for the report.
std::string FirstDifference(std::string_view wanted, std::string_view found) {
  const auto lines = Split(wanted, '\n');
  const auto other = Split(found, '\n');
  for (size_t i = 0; i < std::max(lines.size(), other.size()); ++i) {
    const std::string_view a = i < lines.size() ? lines[i] : "";
    const std::string_view b = i < other.size() ? other[i] : "";
    if (a == b) continue;
    return fmt::format("line {} is '{}' instead of '{}'", i + 1, b, a);
  }
  return "it ends differently";
}

// A wrong exit code: what the program said tells reasons apart that share it.
Failure ExitFailure(int code, const Captured& output) {
  const std::string out = output.Output();
  const std::string how = fmt::format("code_{}", code);
  const auto printed = finding::ReadPrinted(out, output.Error());
  if (!printed) {
    Failure failure = PlainFailure(Kind::kExit, how, {});
    if (std::string last = finding::LastLineOf(out); !last.empty()) {
      failure.details.push_back("it printed last: " + std::move(last));
    }
    return failure;
  }
  const bool test = !printed->test.empty();
  Failure failure =
      PlainFailure(test ? Kind::kTest : Kind::kExit,
                   test ? printed->cause : how + "\n" + printed->cause, {});
  failure.said = printed->message;
  failure.place = {.function = printed->test, .place = printed->place};
  return failure;
}

// Aborts are all alike but for what was said before.
void TellAborts(const Captured& output, Failure& failure) {
  const auto printed = finding::ReadPrinted(output.Output(), output.Error());
  if (!printed) return;
  failure.cause = printed->cause;
  failure.said = printed->message;
  Digester key;
  key.Add(failure.key);
  key.Add(DigestOf(finding::WithoutNumbers(failure.cause)));
  failure.key = key.Value();
}

// A sanitizer's report, by its own kind and by the program's frame.
Failure SanitizerFailure(const std::string& line, std::string_view error) {
  const auto report = finding::ReadSanitizerReport(error, line);
  if (!report) return PlainFailure(Kind::kSanitizer, line, {line});
  Failure failure = PlainFailure(Kind::kSanitizer, finding::CauseOf(*report),
                                 {report->first});
  failure.said = finding::SentenceOf(*report);
  if (!report->access.empty()) failure.details.push_back(report->access);
  for (const auto& stack : report->stacks) {
    if (stack.heading.empty()) {
      failure.place = stack.where;
    } else {
      failure.details.push_back(fmt::format("{} at {}", stack.heading,
                                            finding::WhereText(stack.where)));
    }
  }
  return failure;
}

// A judge that came to no judgement says nothing about the program.
Judgement JudgeFailed(std::string_view how, std::string_view said) {
  said = Trim(said);
  return {.end = End::kUnable,
          .error = Error(ErrorCode::kEnvironment)
                       .Say("the judge {}{}{}", how, said.empty() ? "" : ": ",
                            Split(said, '\n')[0])
                       .Hint("it is given to sh -c; try it by hand")};
}

// The signal that ended a command which sh has run; 0 = none. Of a command that
// is not its own process, sh tells by 128 and the number.
int SignalOf(const Ending& ending) {
  constexpr int kShell = 128;
  if (ending.signal != 0) return ending.signal;
  const int signal = ending.exit_code - kShell;
  return signal > 0 && signal <= SIGRTMAX ? signal : 0;
}

std::optional<Failure> JudgeClient(const Finished& finished) {
  if (!finished.client || finished.client->ending.exit_code == 0) return {};
  const std::string how = EndingText(finished.client->ending);
  const auto printed = finding::ReadPrinted("", finished.client->output);
  if (!printed) return PlainFailure(Kind::kClient, how, {});
  Failure failure = PlainFailure(Kind::kClient, how + "\n" + printed->cause,
                                 {"it said: " + printed->message});
  failure.said = how;
  return failure;
}

}  // namespace

std::string SanitizerLine(std::string_view text) {
  static constexpr std::string_view kMarks[] = {
      "ERROR: AddressSanitizer", "WARNING: ThreadSanitizer",
      "ERROR: LeakSanitizer",    "WARNING: MemorySanitizer",
      "ERROR: ThreadSanitizer",  ": runtime error: "};
  for (const std::string_view line : Split(text, '\n')) {
    for (const std::string_view mark : kMarks) {
      if (line.find(mark) != std::string_view::npos) {
        return std::string(Trim(line));
      }
    }
  }
  return "";
}

void Oracle::LearnReference(const Finished& finished) {
  if (expectations_.same_output) outputs_.insert(finished.output->Output());
}

std::optional<Failure> Oracle::JudgeOutput(const Finished& finished) const {
  if (!expectations_.output && outputs_.empty()) return {};
  const std::string output = finished.output->Output();
  if (expectations_.output) {
    if (output == *expectations_.output) return {};
    return PlainFailure(Kind::kOutput, "",
                        {FirstDifference(*expectations_.output, output)});
  }
  if (outputs_.contains(output)) return {};
  return PlainFailure(Kind::kOutput, "",
                      {FirstDifference(*outputs_.begin(), output)});
}

Judgement Oracle::AskJudge(const Finished& finished) const {
  if (expectations_.judge.empty()) return {};
  const Ending& ending = finished.executed.ending;
  const Fd nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  // In a group of its own: what the user types is meant for us.
  Command command = {.argv = {"sh", "-c", expectations_.judge},
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
  const Result<Capture> answer =
      RunToEnd(std::move(command), expectations_.judge_limit);
  if (!answer) return JudgeFailed("cannot be run", answer.error().Text());
  if (answer->cut == Enough::kUser) return {.end = End::kStopped};
  if (answer->cut == Enough::kTime) {
    return {.end = End::kCut, .reason = "the judge did not answer in time"};
  }
  if (answer->ending.exit_code == 0) return {};
  if (const int signal = SignalOf(answer->ending); signal != 0) {
    return JudgeFailed("was ended by " + SignalName(signal), answer->err);
  }
  if (answer->ending.exit_code == 126 || answer->ending.exit_code == 127) {
    return JudgeFailed("cannot be run", answer->err);
  }
  const std::string first(Split(answer->out, '\n')[0]);
  return Failed(PlainFailure(
      Kind::kJudge, first,
      first.empty() ? std::vector<std::string>{} : std::vector{first}));
}

std::optional<Failure> Oracle::JudgeExit(const Finished& finished) const {
  const Ending& ending = finished.executed.ending;
  if (IsOkEnding(ending, expectations_.ok_exits)) return {};
  return ExitFailure(ending.exit_code, *finished.output);
}

Judgement Oracle::Judge(const Finished& finished) {
  OutcomeJudgement outcome = JudgeOutcome(finished.executed);
  if (!outcome.failures.empty()) outcome.end = End::kFailed;
  const bool ended = outcome.end == End::kOk || outcome.end == End::kFailed;
  if (!ended) {
    return {.end = outcome.end,
            .reason = std::move(outcome.reason),
            .error = std::move(outcome.error)};
  }
  std::optional<Judgement> silent;
  const auto counts = [&](const Failure& failure) {
    if (!silent_.contains(failure.key)) return true;
    if (!silent) silent = Failed(failure);
    silent->silent = true;
    return false;
  };
  // Other programs may say such words as well.
  const std::string line =
      expectations_.sanitized ? SanitizerLine(finished.output->Error()) : "";
  if (!line.empty()) {
    Failure failure = SanitizerFailure(line, finished.output->Error());
    if (counts(failure)) return Failed(std::move(failure));
    // What it does to the exit code is not another failure.
    outcome.explains_exit = true;
  }
  for (Failure& failure : outcome.failures) {
    if (failure.kind == Kind::kAbort) TellAborts(*finished.output, failure);
    if (counts(failure)) return Failed(std::move(failure));
  }
  // What did not come to its end has nothing more to be judged by.
  if (silent && !outcome.went_on) return *std::move(silent);
  if (std::optional<Failure> failure = JudgeExit(finished)) {
    if (outcome.explains_exit && silent) return *std::move(silent);
    if (counts(*failure)) return Failed(*std::move(failure));
  }
  if (std::optional<Failure> failure = JudgeClient(finished)) {
    if (counts(*failure)) return Failed(*std::move(failure));
  }
  if (std::optional<Failure> failure = JudgeOutput(finished)) {
    if (counts(*failure)) return Failed(*std::move(failure));
  }
  Judgement judge = AskJudge(finished);
  if (judge.failure && !counts(*judge.failure)) return *std::move(silent);
  if (judge.end == End::kOk && silent) return *std::move(silent);
  return judge;
}

}  // namespace fairlead::explore
