#include "cli/bug_replay.h"

#include <stdio.h>

#include "base/log.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/print.h"
#include "explore/aim/target_places.h"
#include "explore/campaign/confirm.h"
#include "explore/explain/certificate.h"
#include "explore/explain/ordering_evidence.h"
#include "explore/run/interrupt.h"

namespace fairlead::cli {
namespace {

using explore::Likeness;

// Attempts at the orders, if the user does not say how many: they are enough
// in nearly all of them, if they are enough at all.
constexpr uint64_t kAttempts = 20;

// What came of it.
struct Replayed {
  std::string by = {};  // "the exact schedule"
  uint64_t failed = 0;
  uint64_t tried = 0;
  std::string other = {};  // another failure that was seen
  std::string why = {};    // why nothing could be tried
  std::vector<std::string> lines = {};
};

std::string_view WordsOf(Likeness likeness) {
  switch (likeness) {
    case Likeness::kOk:
      return "it did not fail";
    case Likeness::kSame:
      return "";
    case Likeness::kOther:
      return "it failed in another way";
    case Likeness::kNeither:
      return "it left the schedule, or was cut";
    case Likeness::kStopped:
      return "it was stopped";
  }
  return "";
}

Result<Replayed> FollowExactly(const BugSubject& subject,
                               const ReplayOptions& options) {
  const explore::Subject exact = subject.Exact();
  Result<std::unique_ptr<explore::Runner>> runner =
      explore::MakeFreshRunner(exact.setting);
  if (!runner) return runner.error();
  const explore::Repetition repetition = {.schedule = exact.schedule,
                                          .carrier = CarrierOf(options.carrier),
                                          .timeout = exact.timeout};
  const explore::FollowedInputs inputs =
      explore::LayOutInputs(exact.schedule->inputs);
  explore::SameFailure same(*exact.finding, exact.expectations);
  Replayed replayed = {.by = "its exact schedule"};
  while (replayed.tried < options.times) {
    const Result<explore::Finished> finished =
        explore::RunOne(**runner, explore::TaskFor(repetition, inputs));
    if (!finished) return finished.error();
    const Likeness likeness = same.Judge(*finished);
    if (likeness == Likeness::kStopped) break;
    ++replayed.tried;
    replayed.failed += likeness == Likeness::kSame;
    if (likeness != Likeness::kSame && replayed.lines.empty()) {
      replayed.lines.emplace_back(WordsOf(likeness));
      if (likeness == Likeness::kOther) replayed.other = same.other();
    }
  }
  return replayed;
}

Result<Replayed> ForceOrders(const BugSubject& subject,
                             const ReplayOptions& options) {
  Replayed replayed = {.by = "its orders, since this is another build"};
  if (!subject.bug().ordering) {
    replayed.why =
        "this is another build than the one that failed, and the file has no "
        "orders that are enough to make it fail";
    return replayed;
  }
  const finding::Ordering& ordering = *subject.bug().ordering;
  const Result<trace::SiteTable> sites =
      explore::SitesOf(subject.setting().program.path);
  if (!sites) return sites.error();
  const std::vector<explore::StepMatch> matches =
      explore::MatchSteps(ordering, *sites);
  replayed.lines = explore::MatchLines(ordering, matches);
  for (const finding::TargetEdge& edge : ordering.target.edges) {
    if (!matches[edge.before].found() || !matches[edge.after].found()) {
      replayed.why = "a place of its orders was not found in this build";
      return replayed;
    }
  }
  Result<std::unique_ptr<explore::Trials>> trials =
      explore::Trials::MakeWithoutSchedule(subject.Free());
  if (!trials) return trials.error();
  const finding::Ordering here = explore::WithMatches(ordering, matches);
  const finding::Target target = explore::ForcedPart(here.target);
  const uint64_t times = options.times_given ? options.times : kAttempts;
  while (replayed.tried < times) {
    const Result<Likeness> likeness = (*trials)->Force(&target, replayed.tried);
    if (!likeness) return likeness.error();
    if (*likeness == Likeness::kStopped) break;
    ++replayed.tried;
    replayed.failed += *likeness == Likeness::kSame;
  }
  replayed.other = (*trials)->same().other();
  return replayed;
}

}  // namespace

Result<ExitCode> ReplayBug(const ReplayOptions& options,
                           const std::vector<std::string>& program) {
  if (options.gdb || !options.trace.empty()) {
    return Error(ErrorCode::kUsage)
        .Say("a bug file is not replayed with --gdb or --trace")
        .Hint("find it here first: fairlead test");
  }
  Result<finding::BugFile> bug = finding::LoadBugFile(options.id);
  if (!bug) return bug.error();
  BugSubject subject;
  if (Status prepared = subject.Prepare(
          *std::move(bug), program,
          {.judge = options.judge,
           .before = options.before,
           .allow_stored_commands = options.allow_stored_commands});
      !prepared) {
    return prepared.error();
  }
  const explore::InterruptWatch interrupts;
  const bool exact = subject.same_build();
  Result<Replayed> replayed =
      exact ? FollowExactly(subject, options) : ForceOrders(subject, options);
  if (!replayed) return replayed.error();
  // By its schedule it must fail each time; by its orders it may.
  const bool shown = exact ? replayed->failed == replayed->tried &&
                                 replayed->tried == options.times
                           : replayed->failed != 0;
  const ExitCode exit = shown ? ExitCode::kFindings : ExitCode::kUnknown;
  const finding::Finding& finding = subject.bug().finding;
  if (options.json) {
    PrintJson(stdout,
              {{"command", "replay"},
               {"result", shown ? "failed" : "unknown"},
               {"by", exact ? "schedule" : "orders"},
               {"failed", replayed->failed},
               {"tried", replayed->tried},
               {"steps", exact ? std::vector<std::string>() : replayed->lines},
               {"why", replayed->why},
               {"other_failure", replayed->other},
               {"exit_code", static_cast<int>(exit)}});
    return exit;
  }
  for (const std::string& line : replayed->lines) Note("  {}", line);
  if (!replayed->other.empty()) {
    Note("  in another way it failed, too: {}", replayed->other);
  }
  if (!replayed->why.empty()) {
    Note("unknown: {}", replayed->why);
    return exit;
  }
  Note("{}{} of {} failed like the bug by {}: {}: {}",
       shown ? "" : "unknown: ", replayed->failed, replayed->tried,
       replayed->by, finding::TitleOf(finding.kind), finding.message);
  return exit;
}

}  // namespace fairlead::cli
