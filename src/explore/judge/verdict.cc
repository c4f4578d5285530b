#include "explore/judge/verdict.h"

#include <signal.h>

#include "explore/judge/failure_words.h"
#include "explore/judge/fate_words.h"
#include "explore/judge/outcome_oracle.h"

namespace fairlead::explore {
namespace {

using finding::Kind;

VerdictWord WordFor(Kind kind) {
  switch (kind) {
    case Kind::kCrash:
    case Kind::kAbort:
    case Kind::kAssertion:
    case Kind::kUncaught:
      return VerdictWord::kCrash;
    case Kind::kDeadlock:
    case Kind::kLostWakeup:
      return VerdictWord::kDeadlock;
    case Kind::kLivelock:
      return VerdictWord::kLivelock;
    case Kind::kMisuse:
    case Kind::kDoubleFree:
    case Kind::kBadFree:
    case Kind::kUseAfterFree:
    case Kind::kOutOfBounds:
    case Kind::kUninitialised:
    case Kind::kAlways:
      return VerdictWord::kMisuse;
    case Kind::kClosure:
      return VerdictWord::kClosure;
    case Kind::kSanitizer:
      return VerdictWord::kSanitizer;
    case Kind::kExit:
    case Kind::kTest:
    case Kind::kClient:
    case Kind::kOutput:
    case Kind::kJudge:
    case Kind::kWrongAnswer:
    case Kind::kCorruptedState:
    case Kind::kSometimes:
    case Kind::kReachable:
    case Kind::kRace:
    case Kind::kDangling:
    case Kind::kNull:
    case Kind::kUninit:
    case Kind::kOverflow:
    case Kind::kAtomicity:
    case Kind::kTogether:
    case Kind::kCondvar:
    case Kind::kCancel:
      break;
  }
  return VerdictWord::kExit;
}

// Of one that has neither passed nor failed.
VerdictWord WordFor(Fate fate, const Executed& executed) {
  switch (fate) {
    case Fate::kDiverged:
      return VerdictWord::kDiverged;
    case Fate::kReplaced:
      return VerdictWord::kReplaced;
    case Fate::kDestroyed:
      return VerdictWord::kDestroyed;
    case Fate::kKilled:
      return SignalOf(executed) == SIGINT || SignalOf(executed) == SIGQUIT
                 ? VerdictWord::kInterrupted
                 : VerdictWord::kKilled;
    case Fate::kInterrupted:
      return VerdictWord::kInterrupted;
    case Fate::kUnsupported:
      return VerdictWord::kUnsupported;
    case Fate::kNotStarted:
      return VerdictWord::kNotStarted;
    case Fate::kOurBug:
      return VerdictWord::kOurBug;
    case Fate::kCut:
    case Fate::kWaitedOutside:
    case Fate::kFiltered:
    case Fate::kOutOfTime:
    case Fate::kSuspended:
    case Fate::kOverfull:
    case Fate::kServerLost:
    case Fate::kEnded:
    case Fate::kMisused:
    case Fate::kDied:
    case Fate::kDeadlock:
    case Fate::kLivelock:
      break;
  }
  return VerdictWord::kCut;
}

ExitCode ExitFor(VerdictWord word) {
  switch (word) {
    case VerdictWord::kOk:
      return ExitCode::kNothingFound;
    case VerdictWord::kCrash:
    case VerdictWord::kDeadlock:
    case VerdictWord::kLivelock:
    case VerdictWord::kMisuse:
    case VerdictWord::kClosure:
    case VerdictWord::kSanitizer:
    case VerdictWord::kExit:
      return ExitCode::kFindings;
    case VerdictWord::kCut:
    case VerdictWord::kReplaced:
    case VerdictWord::kDiverged:
    case VerdictWord::kDestroyed:
    case VerdictWord::kKilled:
    case VerdictWord::kInterrupted:
      return ExitCode::kUnknown;
    case VerdictWord::kUnsupported:
    case VerdictWord::kNotStarted:
      return ExitCode::kEnvironment;
    case VerdictWord::kOurBug:
      break;
  }
  return ExitCode::kOurBug;
}

Verdict Made(VerdictWord word, Words words) {
  return {.word = word,
          .exit = ExitFor(word),
          .sentence = std::move(words.sentence),
          .details = std::move(words.details)};
}

}  // namespace

std::string_view WordOf(VerdictWord word) {
  static constexpr std::string_view kWords[] = {
      "ok",          "crash",     "deadlock", "livelock",    "misuse",
      "closure",     "sanitizer", "exit",     "cut",         "replaced",
      "diverged",    "destroyed", "killed",   "interrupted", "unsupported",
      "not-started", "our-bug"};
  static_assert(std::size(kWords) ==
                static_cast<size_t>(VerdictWord::kOurBug) + 1);
  return kWords[static_cast<size_t>(word)];
}

Verdict Judge(const Executed& executed, const std::vector<int>& ok_exits,
              Namer& namer) {
  const OutcomeJudgement outcome = JudgeOutcome(executed);
  if (!outcome.failures.empty()) {
    const Kind kind = outcome.failures.front().kind;
    Verdict verdict = Made(WordFor(kind), WordsOf(kind, executed, namer));
    verdict.title = finding::TitleOf(kind);
    return verdict;
  }
  if (outcome.end != Judgement::End::kOk) {
    return Made(WordFor(outcome.fate, executed),
                WordsOf(outcome.fate, executed, namer));
  }
  const bool right = IsOkEnding(executed.ending, ok_exits);
  return Made(right ? VerdictWord::kOk : VerdictWord::kExit,
              {ExitText(executed)});
}

std::string_view ResultWord(const Verdict& verdict) {
  switch (verdict.exit) {
    case ExitCode::kNothingFound:
      return "ok";
    case ExitCode::kFindings:
      return "failed";
    case ExitCode::kUsage:
    case ExitCode::kEnvironment:
    case ExitCode::kUnknown:
    case ExitCode::kOurBug:
      break;
  }
  return "unknown";
}

bool EndsAll(const Verdict& verdict) {
  return verdict.word == VerdictWord::kInterrupted ||
         verdict.word == VerdictWord::kNotStarted;
}

}  // namespace fairlead::explore
