#include "explore/judge/failure_words.h"

#include <fmt/core.h>
#include <signal.h>

#include "base/subprocess.h"
#include "explore/judge/crash_words.h"
#include "explore/judge/wait_words.h"

namespace fairlead::explore {
namespace {

using finding::Kind;

// The first misuse, in words.
std::string MisuseSentence(const abi::Outcome& outcome, Namer& namer) {
  const abi::MisuseRecord& misused = outcome.misused;
  const std::string where =
      At(namer.OwnPlace(misused.site, misused.site_flags, misused.node));
  if (outcome.misuse == abi::Misuse::kAlwaysBroken) {
    return fmt::format("in {} it is not true that: {}{}",
                       namer.Thread(misused.thread), outcome.cause, where);
  }
  if (outcome.misuse == abi::Misuse::kClosureFailed) return outcome.cause;
  const std::string object =
      misused.object == 0 ? "" : ": " + namer.Object(misused.object);
  return fmt::format("{} {}{}{}", namer.Thread(misused.thread),
                     abi::WordsOf(outcome.misuse), object, where);
}

// A misuse, and what came of it. The runtime aborts as the C library does for a
// block freed twice.
Words WordsOfMisuse(const abi::Outcome& outcome, Namer& namer) {
  Words words = {MisuseSentence(outcome, namer)};
  if (outcome.status != abi::Status::kSignaled) return words;
  const bool for_it = outcome.signal == SIGABRT &&
                      outcome.abort_cause == abi::AbortCause::kUnknown;
  words.details.push_back(fmt::format("it was ended by {} {} that",
                                      SignalName(outcome.signal),
                                      for_it ? "for" : "after"));
  if (outcome.fault_address != 0) {
    words.details.push_back(
        fmt::format("it touched {}", namer.Object(outcome.fault_address)));
  }
  return words;
}

// A sanitizer built into the program has reported something. The runtime's
// text is "sanitizer: <thread>: <what>".
Words WordsOfReport(const Executed& executed) {
  std::string_view text = executed.outcome.text;
  constexpr std::string_view kWord = "sanitizer: ";
  if (text.starts_with(kWord)) text.remove_prefix(kWord.size());
  Words words = {std::string(text)};
  if (executed.outcome.status != abi::Status::kMisuse) {
    words.details.push_back(fmt::format("the program went on after that: {}",
                                        EndingText(executed.ending)));
  }
  return words;
}

}  // namespace

Words WordsOf(Kind kind, const Executed& executed, Namer& namer) {
  switch (kind) {
    case Kind::kDeadlock:
    case Kind::kLostWakeup:
      return WordsOfDeadlock(executed.outcome, namer);
    case Kind::kLivelock:
      return WordsOfLivelock(executed.outcome, namer);
    case Kind::kMisuse:
    case Kind::kDoubleFree:
    case Kind::kBadFree:
    case Kind::kUseAfterFree:
    case Kind::kOutOfBounds:
    case Kind::kUninitialised:
    case Kind::kAlways:
    case Kind::kClosure:
      return WordsOfMisuse(executed.outcome, namer);
    case Kind::kSanitizer:
      return WordsOfReport(executed);
    case Kind::kCrash:
    case Kind::kAbort:
    case Kind::kAssertion:
    case Kind::kUncaught:
      return WordsOfCrash(executed, namer);
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
  return {ExitText(executed)};
}

std::string ExitText(const Executed& executed) {
  if (executed.ending.signal != 0) return "the server was ended by us";
  return fmt::format("the program ended with exit code {}",
                     executed.ending.exit_code);
}

std::string EarlyText(const abi::Outcome& outcome, Namer& namer) {
  if (outcome.early_waits == 0) return "";
  const double seconds = static_cast<double>(outcome.early_ns) / 1e9;
  std::string text = fmt::format(
      ", after a {} of {:.3g} s passed early{}",
      outcome.early_is_sleep != 0 ? "sleep" : "time-out", seconds,
      At(namer.Where(outcome.early_site, outcome.early_site_flags)));
  if (outcome.early_waits > 1) {
    text += fmt::format(" (and {} more)", outcome.early_waits - 1);
  }
  return text;
}

std::string EarlyNapText(const abi::Outcome& outcome, Namer& namer) {
  // As Gate::PassedEarly has it.
  if (outcome.early_waits != 0 || outcome.early_ns == 0) return "";
  return fmt::format(
      "a sleep of {:.3g} s passed early{}: others were slower than it is long; "
      "--early-timeouts never keeps sleeps as they are",
      static_cast<double>(outcome.early_ns) / 1e9,
      At(namer.Where(outcome.early_site, outcome.early_site_flags)));
}

}  // namespace fairlead::explore
