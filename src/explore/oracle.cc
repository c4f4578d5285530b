#include "explore/oracle.h"

#include <unistd.h>

#include <algorithm>

#include "base/digest.h"
#include "base/text.h"
#include "explore/outcome_oracle.h"
#include "finding/fingerprint.h"

namespace fairlead::explore {
namespace {

using finding::Kind;
using End = Judgement::End;

Failure Plain(Kind kind, std::string cause, std::vector<std::string> details) {
  Digester key;
  key.Add(kind);
  key.Add(DigestOf(finding::WithoutNumbers(cause)));
  return {.kind = kind,
          .key = key.Value(),
          .cause = std::move(cause),
          .details = std::move(details)};
}

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

std::string LastLine(std::string_view text) {
  text = Trim(text);
  const size_t at = text.rfind('\n');
  return std::string(at == std::string_view::npos ? text : text.substr(at + 1));
}

std::optional<Failure> JudgeClient(const Finished& finished) {
  if (!finished.client || finished.client->ending.exit_code == 0) return {};
  std::vector<std::string> details;
  if (std::string line = LastLine(finished.client->output); !line.empty()) {
    details.push_back("it said: " + std::move(line));
  }
  return Plain(Kind::kClient, EndingText(finished.client->ending),
               std::move(details));
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
    return Plain(Kind::kOutput, "",
                 {FirstDifference(*expectations_.output, output)});
  }
  if (outputs_.contains(output)) return {};
  return Plain(Kind::kOutput, "", {FirstDifference(*outputs_.begin(), output)});
}

Result<std::optional<Failure>> Oracle::AskJudge(
    const Finished& finished) const {
  if (expectations_.judge.empty()) return std::optional<Failure>();
  const Ending& ending = finished.executed.ending;
  Command command = {.argv = {"sh", "-c", expectations_.judge},
                     .environment = OwnEnvironment(),
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
  const Result<Capture> answer = RunToEnd(std::move(command));
  if (!answer) return answer.error();
  if (answer->ending.exit_code == 0) return std::optional<Failure>();
  if (answer->ending.exit_code == 126 || answer->ending.exit_code == 127) {
    return Error(ErrorCode::kEnvironment)
        .Say("the judge cannot be run: {}", Trim(answer->err))
        .Hint("it is given to sh -c; try it by hand");
  }
  const std::string first(Split(answer->out, '\n')[0]);
  return std::optional(
      Plain(Kind::kJudge, first,
            first.empty() ? std::vector<std::string>{} : std::vector{first}));
}

Judgement Oracle::Judge(const Finished& finished) {
  const Executed& executed = finished.executed;
  Judgement judgement = JudgeOutcome(executed);
  const bool ended = judgement.end == End::kOk || judgement.end == End::kFailed;
  if (!ended) return judgement;
  if (const std::string line = SanitizerLine(finished.output->Error());
      !line.empty()) {
    return Failed(Plain(Kind::kSanitizer, line, {line}));
  }
  if (judgement.end == End::kFailed) return judgement;
  const int code = executed.ending.exit_code;
  const std::vector<int>& ok = expectations_.ok_exits;
  const bool right =
      ok.empty() ? code == 0 : std::ranges::find(ok, code) != ok.end();
  // A server that had to be ended has no exit code.
  if (executed.ending.signal == 0 && !right) {
    return Failed(Plain(Kind::kExit, fmt::format("code_{}", code), {}));
  }
  if (std::optional<Failure> failure = JudgeClient(finished)) {
    return Failed(*std::move(failure));
  }
  if (std::optional<Failure> failure = JudgeOutput(finished)) {
    return Failed(*std::move(failure));
  }
  Result<std::optional<Failure>> failure = AskJudge(finished);
  if (!failure) return {.end = End::kUnable, .error = failure.error()};
  if (*failure) return Failed(**std::move(failure));
  return judgement;
}

}  // namespace fairlead::explore
