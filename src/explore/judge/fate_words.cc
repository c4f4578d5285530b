#include "explore/judge/fate_words.h"

#include <fmt/core.h>
#include <signal.h>

#include "base/subprocess.h"
#include "explore/judge/uncontrolled.h"

namespace fairlead::explore {
namespace {

constexpr std::string_view kFiltered =
    "the program's own filter of system calls (seccomp) ended it";

std::string_view ShortCutText(abi::CutReason reason) {
  switch (reason) {
    case abi::CutReason::kSteps:
      return "too many steps";
    case abi::CutReason::kTime:
      return "out of time";
    case abi::CutReason::kUninstrumentedSpin:
      return kSpun;
    case abi::CutReason::kThreads:
      return "too many threads";
    case abi::CutReason::kNone:
    case abi::CutReason::kStoppedFromOutside:
      break;
  }
  return "stopped";
}

std::string_view CutText(abi::CutReason reason) {
  switch (reason) {
    case abi::CutReason::kNone:
      return "for no reason given";
    case abi::CutReason::kSteps:
      return "after as many steps as --max-steps allows";
    case abi::CutReason::kTime:
      return "when the time of --timeout was over";
    case abi::CutReason::kUninstrumentedSpin:
      return "because a thread spins in a loop without points";
    case abi::CutReason::kStoppedFromOutside:
      return "because it was stopped from outside";
    case abi::CutReason::kThreads:
      return "because it has more threads than can be followed";
  }
  return "for a reason unknown to this build";
}

// Where a cut thread was: in code without sites, the processor knows.
std::string PlaceOfCut(const abi::Outcome& outcome, Namer& namer) {
  if (outcome.cut_reason == abi::CutReason::kTime && outcome.blocked_pc != 0 &&
      outcome.fault_pc == outcome.blocked_pc) {
    return fmt::format(" waiting in the kernel, in {}",
                       BlockedCallText(outcome, namer));
  }
  const std::string where =
      At(namer.OwnPlace(outcome.site, outcome.site_flags, outcome.node));
  if (outcome.cut_reason != abi::CutReason::kUninstrumentedSpin) return where;
  const std::string code = namer.Code(outcome.fault_pc);
  return code.empty() ? where : At(code);
}

// Some signals are the system's answer to a limit that the user has set.
std::string KilledText(int signal) {
  switch (signal) {
    case SIGXFSZ:
      return "ended by a limit on the size of files (SIGXFSZ, ulimit -f)";
    case SIGXCPU:
      return "ended by a limit on processor time (SIGXCPU, ulimit -t)";
    default:
      return fmt::format("ended from outside by {}", SignalName(signal));
  }
}

// What the runtime cannot carry has no reason of its own, but words.
bool HasOwnWords(const abi::Outcome& outcome) {
  return outcome.cut_reason == abi::CutReason::kNone && outcome.text[0] != '\0';
}

std::string CutSentence(const abi::Outcome& outcome, Namer& namer) {
  if (HasOwnWords(outcome)) return outcome.text;
  return fmt::format("the execution was cut {}, with {}{}",
                     CutText(outcome.cut_reason), namer.Thread(outcome.thread),
                     PlaceOfCut(outcome, namer));
}

Words WordsOfDestroyed(const Executed& executed) {
  return {
      .sentence =
          "the program destroyed what we share: it wrote over the memory "
          "in which fairlead controls it",
      .details = {fmt::format("it was gone by {}", EndingText(executed.ending)),
                  "look for writes through wild pointers: build it with "
                  "-fsanitize=address"}};
}

}  // namespace

std::string CutReasonOf(Fate fate, const Executed& executed) {
  switch (fate) {
    case Fate::kCut:
      if (HasOwnWords(executed.outcome)) return executed.outcome.text;
      return std::string(ShortCutText(executed.outcome.cut_reason));
    case Fate::kWaitedOutside:
      return std::string(kWaitedOutside);
    case Fate::kDiverged:
      return "left its schedule";
    case Fate::kReplaced:
      return "became another program";
    case Fate::kKilled:
      return KilledText(SignalOf(executed));
    case Fate::kFiltered:
      return std::string(kFiltered);
    case Fate::kOutOfTime:
      return "out of time";
    case Fate::kSuspended:
      return "out of time while it was stopped (SIGSTOP)";
    case Fate::kOverfull:
      return "printed too much";
    case Fate::kDestroyed:
      return "wrote over the memory that it shares with fairlead";
    case Fate::kServerLost:
      return "its fork server was ended from outside";
    case Fate::kEnded:
    case Fate::kMisused:
    case Fate::kDied:
    case Fate::kDeadlock:
    case Fate::kLivelock:
    case Fate::kInterrupted:
    case Fate::kNotStarted:
    case Fate::kUnsupported:
    case Fate::kOurBug:
      break;
  }
  return "";
}

Words WordsOf(Fate fate, const Executed& executed, Namer& namer) {
  switch (fate) {
    case Fate::kCut:
    case Fate::kWaitedOutside:
      return {CutSentence(executed.outcome, namer)};
    case Fate::kDiverged:
      return {"the program did not follow the schedule"};
    case Fate::kReplaced:
      return {
          "the program became another program by exec, which is not controlled",
          {"give fairlead that program, not the one that starts it"}};
    case Fate::kKilled:
      return {"the program was " + KilledText(SignalOf(executed))};
    case Fate::kFiltered:
      return {std::string(kFiltered),
              {"fairlead makes calls of its own in the program: allow them, or "
               "test it without its filter"}};
    case Fate::kOutOfTime:
      return {
          "the program did not stop when the time of --timeout was over, and "
          "was ended"};
    case Fate::kSuspended:
      return {
          "the program was stopped (SIGSTOP), nobody continued it until its "
          "time was over, and it was ended"};
    case Fate::kOverfull:
      return {"the program printed more than can be kept, and was ended"};
    case Fate::kDestroyed:
      return WordsOfDestroyed(executed);
    case Fate::kServerLost:
      return {
          "the fork server was ended from outside, and with it the execution "
          "under way"};
    case Fate::kInterrupted:
      return {"stopped by the user; the program was ended"};
    case Fate::kNotStarted:
      return {NotStartedText(executed), {std::string(kNotStartedHint)}};
    case Fate::kUnsupported:
      return {executed.outcome.text};
    case Fate::kOurBug:
      return {OurBugText(executed)};
    case Fate::kEnded:
    case Fate::kMisused:
    case Fate::kDied:
    case Fate::kDeadlock:
    case Fate::kLivelock:
      break;
  }
  return {};
}

std::string NotStartedText(const Executed& executed) {
  return fmt::format("the program was gone ({}) before our runtime began in it",
                     EndingText(executed.ending));
}

std::string OurBugText(const Executed& executed) {
  return fmt::format("bug in fairlead's runtime: {}", executed.outcome.text);
}

}  // namespace fairlead::explore
