#include "explore/judge/verdict.h"

#include <fmt/core.h>
#include <signal.h>

#include <algorithm>

#include "base/demangle.h"
#include "base/text.h"
#include "explore/judge/outcome_oracle.h"
#include "explore/names/crash_place.h"
#include "trace/kinds.h"

namespace fairlead::explore {
namespace {

using abi::CutReason;
using abi::Misuse;
using abi::Uncontrolled;

// Signals by which a program ends itself through a fault of its own; others
// come from outside unless the runtime says otherwise.
bool IsFault(int signal) {
  switch (signal) {
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGABRT:
    case SIGTRAP:
    case SIGSYS:
      return true;
    default:
      return false;
  }
}

std::string At(const std::string& where) {
  return where.empty() ? "" : fmt::format(" at {}", where);
}

// " 243"; "" when it is not known.
std::string NumberOfBlocked(const abi::Outcome& outcome) {
  return outcome.blocked_call == abi::kUnknownCall
             ? ""
             : fmt::format(" {}", outcome.blocked_call);
}

// Where a cut thread was: in code without sites, the processor knows.
std::string PlaceOfCut(const abi::Outcome& outcome, Namer& namer,
                       const std::string& where) {
  if (outcome.cut_reason == CutReason::kTime && outcome.blocked_pc != 0 &&
      outcome.fault_pc == outcome.blocked_pc) {
    return fmt::format(" waiting in the kernel, in system call{} by {}",
                       NumberOfBlocked(outcome),
                       namer.Code(outcome.blocked_pc));
  }
  if (outcome.cut_reason != CutReason::kUninstrumentedSpin) return where;
  const std::string code = namer.Code(outcome.fault_pc);
  return code.empty() ? where : " at " + code;
}

std::string_view CutText(CutReason reason) {
  switch (reason) {
    case CutReason::kNone:
      return "for no reason given";
    case CutReason::kSteps:
      return "after as many steps as --max-steps allows";
    case CutReason::kTime:
      return "when the time of --timeout was over";
    case CutReason::kUninstrumentedSpin:
      return "because a thread spins in code without sites";
    case CutReason::kStoppedFromOutside:
      return "because it was stopped from outside";
    case CutReason::kThreads:
      return "because it has more threads than can be followed";
  }
  return "for a reason unknown to this build";
}

// The signals that a thread waits for: SIGUSR1 or SIGUSR2.
std::string SignalNames(uint64_t set) {
  std::string names;
  for (int signal = 1; signal <= 64; ++signal) {
    if ((set >> (signal - 1) & 1) == 0) continue;
    if (!names.empty()) names += " or ";
    names += SignalName(signal);
  }
  return names.empty() ? "a signal" : names;
}

std::string WaitLine(const abi::WaitRecord& wait, Namer& namer) {
  std::string line =
      fmt::format("{}: {}", namer.Thread(wait.thread), trace::WordOf(wait.op));
  if (wait.op == abi::EventKind::kSignalWait) {
    line += fmt::format(" for {}, which nobody is left to send",
                        SignalNames(wait.object));
  } else if (wait.op == abi::EventKind::kJoin) {
    // The object is a handle, which says nothing.
    if (wait.holder != abi::Tid::kNone) line += " " + namer.Thread(wait.holder);
    return line + At(namer.OwnPlace(wait.site, wait.site_flags, wait.node));
  } else if (wait.op == abi::EventKind::kUse) {
    line = fmt::format("{}: {}", namer.Thread(wait.thread),
                       DescriptorText(wait.object));
  } else if (wait.object != 0) {
    line += " " + namer.Object(wait.object);
  }
  if (wait.holder != abi::Tid::kNone) {
    line += fmt::format(", held by {}", namer.Thread(wait.holder));
  }
  if (wait.in_cycle == 1) line += " (in the cycle)";
  return line + At(namer.OwnPlace(wait.site, wait.site_flags, wait.node));
}

// Where there is no cycle.
std::string UnderLockText(const abi::Outcome& outcome, Namer& namer) {
  const WaitUnderLock under = WaitUnderLockOf(outcome);
  if (under.waits == nullptr) {
    return "every thread waits, and nobody is left to act";
  }
  return fmt::format(
      "{} waits for {} and holds {}, for which {} waits",
      namer.Thread(under.waits->thread), namer.Object(under.waits->object),
      namer.Object(under.blocked->object), namer.Thread(under.blocked->thread));
}

std::string CycleText(const abi::Outcome& outcome, Namer& namer) {
  std::vector<std::string> cycle;
  for (uint32_t i = 0; i < outcome.num_waits; ++i) {
    if (outcome.waits[i].in_cycle != 1) continue;
    cycle.push_back(namer.Thread(outcome.waits[i].thread));
  }
  if (cycle.empty()) return UnderLockText(outcome, namer);
  std::string text;
  for (size_t i = 0; i < cycle.size(); ++i) {
    if (i != 0) text += i + 1 == cycle.size() ? " and " : ", ";
    text += cycle[i];
  }
  if (cycle.size() == 1) return text + " waits for itself";
  return text + " wait for each other";
}

void AddWaits(const abi::Outcome& outcome, Namer& namer, Verdict& verdict) {
  for (uint32_t i = 0; i < outcome.num_waits; ++i) {
    verdict.details.push_back(WaitLine(outcome.waits[i], namer));
  }
}

// The first misuse, in words.
std::string MisuseSentence(const abi::Outcome& outcome, Namer& namer) {
  const abi::MisuseRecord& misused = outcome.misused;
  const std::string where =
      At(namer.OwnPlace(misused.site, misused.site_flags, misused.node));
  if (outcome.misuse == Misuse::kAlwaysBroken) {
    return fmt::format("in {} it is not true that: {}{}",
                       namer.Thread(misused.thread), outcome.cause, where);
  }
  if (outcome.misuse == Misuse::kClosureFailed) return outcome.cause;
  const std::string object =
      misused.object == 0 ? "" : ": " + namer.Object(misused.object);
  return fmt::format("{} {}{}{}", namer.Thread(misused.thread),
                     abi::WordsOf(outcome.misuse), object, where);
}

// What a thread did that a fault ended: in a function that the runtime stands
// for, or by a call of what is no code. "" = something else.
std::string DeedOf(const abi::Outcome& outcome, const CrashPlace& place) {
  if (SendsSignals(place.call)) return "";
  const bool told =
      place.owner == CodeOwner::kOurs ||
      (place.owner == CodeOwner::kLibrary && IsToldCall(place.call));
  if (told && place.address != 0) {
    return fmt::format("{} {}", WordsOfCall(place.call),
                       WordsOfPointer(outcome.fault_address));
  }
  // As runtime/intercept/faults.cc has it.
  const std::string_view text = outcome.text;
  if (text.find("(call of what is no code)") == text.npos) return "";
  return "makes a call " + WordsOfPointer(outcome.fault_address);
}

Verdict Crash(const Executed& executed, int signal, Namer& namer) {
  const abi::Outcome& outcome = executed.outcome;
  Verdict verdict = {.word = "crash",
                     .exit = ExitCode::kFindings,
                     .sentence = "",
                     .details = {}};
  verdict.sentence =
      fmt::format("the program was ended by {}", SignalName(signal));
  if (outcome.status == abi::Status::kSignaled) {
    // An abort happens inside libc; the last place of the program says more.
    const CrashPlace place =
        signal == SIGABRT ? CrashPlace() : CrashPlaceOf(executed);
    std::string where = place.address == 0 ? "" : namer.Code(place.address);
    const bool unnamed =
        where.empty() && !namer.IsInCLibrary(outcome.site, outcome.site_flags);
    if (unnamed || namer.IsLibraryCode(place.address)) {
      where = namer.OwnPlace(outcome.site, outcome.site_flags, outcome.node);
    }
    const bool in_library =
        place.owner == CodeOwner::kLibrary && !SendsSignals(place.call);
    verdict.sentence += fmt::format(
        " in thread {}{}{}", namer.Thread(outcome.thread),
        in_library && !where.empty() ? ", in a call of the C library," : "",
        At(where));
    if (SendsSignals(place.call)) {
      verdict.details.push_back(fmt::format(
          "the program sent the signal to itself, by {}()", place.call));
    }
    if (const std::string words = DeedOf(outcome, place); !words.empty()) {
      verdict.details.push_back("it was ended by " + SignalName(signal));
      verdict.sentence = fmt::format("{} {}{}", namer.Thread(outcome.thread),
                                     words, At(where));
    }
    // The runtime aborts as the C library does for a block freed twice.
    if (signal == SIGABRT && outcome.misuse != Misuse::kNone) {
      verdict.word = "misuse";
      verdict.sentence = MisuseSentence(outcome, namer);
      verdict.details.push_back("it was ended by SIGABRT for that");
    } else if (outcome.abort_cause == abi::AbortCause::kAssertion) {
      verdict.sentence = fmt::format(
          "in thread {}: {}", namer.Thread(outcome.thread), outcome.cause);
    } else if (outcome.abort_cause == abi::AbortCause::kUncaught) {
      verdict.sentence =
          fmt::format("in thread {} nobody catches the exception of type {}{}",
                      namer.Thread(outcome.thread),
                      DemangledType(outcome.cause), At(where));
      if (outcome.message[0] != '\0') {
        verdict.details.push_back(fmt::format("it says: {}", outcome.message));
      }
    }
    if (outcome.fault_address != 0) {
      verdict.details.push_back(
          fmt::format("it touched {}", namer.Object(outcome.fault_address)));
    }
  }
  return verdict;
}

Verdict Ended(const Executed& executed, const std::vector<int>& ok_exits,
              Namer& namer) {
  const int code = executed.ending.exit_code;
  const Misuse misuse = executed.outcome.misuse;
  // Why it ended with the wrong code, if it did.
  if (misuse != Misuse::kNone) {
    return {.word = misuse == Misuse::kClosureFailed ? "closure" : "misuse",
            .exit = ExitCode::kFindings,
            .sentence = MisuseSentence(executed.outcome, namer),
            .details = {}};
  }
  if (code != 0 && std::ranges::find(ok_exits, code) == ok_exits.end()) {
    return {
        .word = "exit",
        .exit = ExitCode::kFindings,
        .sentence = fmt::format("the program ended with exit code {}", code),
        .details = {}};
  }
  return {.word = "ok",
          .exit = ExitCode::kNothingFound,
          .sentence = fmt::format("the program ended with exit code {}", code),
          .details = {}};
}

// A sanitizer built into the program has reported something. The runtime's
// text is "sanitizer: <thread>: <what>".
Verdict Reported(const Executed& executed) {
  std::string_view text = executed.outcome.text;
  constexpr std::string_view kWord = "sanitizer: ";
  if (text.starts_with(kWord)) text.remove_prefix(kWord.size());
  Verdict verdict = {.word = "sanitizer",
                     .exit = ExitCode::kFindings,
                     .sentence = std::string(text),
                     .details = {}};
  if (executed.outcome.status != abi::Status::kMisuse) {
    verdict.details.push_back(fmt::format("the program went on after that: {}",
                                          EndingText(executed.ending)));
  }
  return verdict;
}

// Whether the report of a sanitizer says more about an end than the end itself.
bool IsReported(const Executed& executed) {
  if (executed.outcome.misuse != Misuse::kSanitizer) return false;
  switch (executed.outcome.status) {
    case abi::Status::kRunning:
    case abi::Status::kEnded:
    case abi::Status::kSignaled:
    case abi::Status::kMisuse:
      return executed.stopped_by == StoppedBy::kNobody;
    default:
      return false;
  }
}

// When the runtime left no word: the process tells how it ended.
Verdict Unannounced(const Executed& executed, const std::vector<int>& ok_exits,
                    Namer& namer) {
  const Ending& ending = executed.ending;
  if (executed.outcome.status == abi::Status::kNotStarted) {
    return {.word = "not-started",
            .exit = ExitCode::kEnvironment,
            .sentence = fmt::format(
                "the program was gone ({}) before our runtime began in it",
                EndingText(ending)),
            .details = {"run it without fairlead to see why: a library may be "
                        "missing"}};
  }
  if (ending.signal == 0) return Ended(executed, ok_exits, namer);
  if (IsEndedByFilter(executed)) {
    return {.word = "cut",
            .exit = ExitCode::kUnknown,
            .sentence = std::string(kEndedByFilter),
            .details = {"fairlead makes calls of its own in the program: allow "
                        "them, or test it without its filter"}};
  }
  if (IsFault(ending.signal)) return Crash(executed, ending.signal, namer);
  return {.word = ending.signal == SIGINT ? "interrupted" : "killed",
          .exit = ExitCode::kUnknown,
          .sentence = fmt::format("the program was ended from outside by {}",
                                  SignalName(ending.signal)),
          .details = {}};
}

Verdict Stopped(const Executed& executed) {
  if (executed.stopped_by == StoppedBy::kUser) {
    return {.word = "interrupted",
            .exit = ExitCode::kUnknown,
            .sentence = "stopped by the user; the program was ended",
            .details = {}};
  }
  if (executed.stopped_by == StoppedBy::kOutput) {
    return {.word = "cut",
            .exit = ExitCode::kUnknown,
            .sentence =
                "the program printed more than can be kept, and was "
                "ended",
            .details = {}};
  }
  if (executed.stopped_by == StoppedBy::kDestroyed) {
    return {.word = "destroyed",
            .exit = ExitCode::kUnknown,
            .sentence =
                "the program destroyed what we share: it wrote over the "
                "memory in which fairlead controls it",
            .details = {
                fmt::format("it was gone by {}", EndingText(executed.ending)),
                "look for writes through wild pointers: build it "
                "with -fsanitize=address"}};
  }
  if (executed.stopped_by == StoppedBy::kSuspended) {
    return {.word = "cut",
            .exit = ExitCode::kUnknown,
            .sentence =
                "the program was stopped (SIGSTOP), nobody continued it until "
                "its time was over, and it was ended",
            .details = {}};
  }
  if (executed.stopped_by == StoppedBy::kServerLost) {
    return {.word = "cut",
            .exit = ExitCode::kUnknown,
            .sentence =
                "the fork server was ended from outside, and with it "
                "the execution under way",
            .details = {}};
  }
  return {.word = "cut",
          .exit = ExitCode::kUnknown,
          .sentence =
              "the program did not stop when the time of --timeout was "
              "over, and was ended",
          .details = {}};
}

}  // namespace

Verdict Judge(const Executed& executed, const std::vector<int>& ok_exits,
              Namer& namer) {
  const abi::Outcome& outcome = executed.outcome;
  const std::string where =
      At(namer.OwnPlace(outcome.site, outcome.site_flags, outcome.node));
  if (IsReported(executed)) return Reported(executed);
  Verdict verdict;
  switch (outcome.status) {
    case abi::Status::kNotStarted:
    case abi::Status::kRunning:
      if (executed.stopped_by != StoppedBy::kNobody) return Stopped(executed);
      return Unannounced(executed, ok_exits, namer);
    case abi::Status::kReplaced:
      if (executed.stopped_by != StoppedBy::kNobody) return Stopped(executed);
      return Unannounced(executed, ok_exits, namer);
    case abi::Status::kEnded:
      // A fault in what runs at exit comes after the word.
      return executed.ending.signal != 0
                 ? Unannounced(executed, ok_exits, namer)
                 : Ended(executed, ok_exits, namer);
    case abi::Status::kSignaled:
      return Crash(executed, outcome.signal, namer);
    case abi::Status::kDeadlock:
      verdict = {.word = "deadlock",
                 .exit = ExitCode::kFindings,
                 .sentence = CycleText(outcome, namer),
                 .details = {}};
      AddWaits(outcome, namer, verdict);
      return verdict;
    case abi::Status::kLivelock:
      verdict = {.word = "livelock",
                 .exit = ExitCode::kFindings,
                 .sentence = "threads repeat themselves, and nothing changes",
                 .details = {}};
      AddWaits(outcome, namer, verdict);
      return verdict;
    case abi::Status::kMisuse:
      return {.word = "misuse",
              .exit = ExitCode::kFindings,
              .sentence = MisuseSentence(outcome, namer),
              .details = {}};
    case abi::Status::kCut:
      return {.word = "cut",
              .exit = ExitCode::kUnknown,
              .sentence = fmt::format("the execution was cut {}, with {}{}",
                                      CutText(outcome.cut_reason),
                                      namer.Thread(outcome.thread),
                                      PlaceOfCut(outcome, namer, where)),
              .details = {}};
    case abi::Status::kDivergence:
      return {.word = "diverged",
              .exit = ExitCode::kUnknown,
              .sentence = "the program did not follow the schedule",
              .details = {}};
    case abi::Status::kUnsupported:
      return {.word = "unsupported",
              .exit = ExitCode::kEnvironment,
              .sentence = outcome.text,
              .details = {}};
    case abi::Status::kInternal:
      break;
  }
  return {
      .word = "our-bug",
      .exit = ExitCode::kOurBug,
      .sentence = fmt::format("bug in fairlead's runtime: {}", outcome.text),
      .details = {}};
}

std::string_view ResultWord(const Verdict& verdict) {
  switch (verdict.exit) {
    case ExitCode::kNothingFound:
      return "ok";
    case ExitCode::kFindings:
      return "failed";
    default:
      return "unknown";
  }
}

namespace {

// Who did it first, if that is known.
std::string FirstOf(Uncontrolled what, const abi::Outcome& outcome,
                    Namer* namer) {
  if (namer == nullptr) return "";
  if (what == Uncontrolled::kForeignThread && outcome.foreign_pc != 0) {
    return ", the first by " + namer->Code(outcome.foreign_pc);
  }
  if (what == Uncontrolled::kBlockingCall && outcome.blocked_pc != 0) {
    return fmt::format(", the first in system call{} by {}",
                       NumberOfBlocked(outcome),
                       namer->Code(outcome.blocked_pc));
  }
  return "";
}

}  // namespace

std::vector<UncontrolledSource> UncontrolledSources(const abi::Outcome& outcome,
                                                    Namer* namer) {
  static constexpr struct {
    Uncontrolled what;
    std::string_view text;
    std::string_view remedy;
  } kTexts[] = {
      {Uncontrolled::kForeignThread, "threads not made by pthread_create",
       "make them with pthread_create or std::thread, not with clone"},
      {Uncontrolled::kProcessShared, "primitives shared between processes",
       "for tests, share them between threads of one process only"},
      {Uncontrolled::kForkedChild, "child processes",
       "test what they do by itself, or see that what the parent gets from "
       "them does not depend on time"},
      {Uncontrolled::kBlockingCall, "waits in the kernel without our knowing",
       "use a kernel with syscall user dispatch (Linux 5.11 or later); on one "
       "that has it, make the call in a way that does not wait"},
      {Uncontrolled::kLateModule, "libraries opened without our knowing",
       "link them into the program, or open them with dlopen"},
      {Uncontrolled::kSeccomp,
       "filters of system calls (seccomp), which hold for fairlead's own calls "
       "as well",
       "test the program without its filter"},
      {Uncontrolled::kUring, "rings of io_uring, which the kernel works on",
       "for tests, use read, write and poll instead"},
      {Uncontrolled::kPtrace, "calls of ptrace",
       "test what is traced by itself, without its tracer"},
      {Uncontrolled::kUserfault,
       "userfaultfd, which was refused with EPERM: who waits for a page would "
       "stop everybody",
       "test the program without it"},
      {Uncontrolled::kExec, "another program in its place, by exec",
       "give fairlead that program, not the one that starts it"},
  };
  std::vector<UncontrolledSource> sources;
  for (const auto& [what, text, remedy] : kTexts) {
    const uint64_t number = outcome.uncontrolled[static_cast<size_t>(what)];
    if (number != 0) {
      sources.push_back(
          {.text = std::string(text) + FirstOf(what, outcome, namer),
           .number = number,
           .remedy = remedy});
    }
  }
  return sources;
}

std::vector<std::string> UnheededAnnotations(const abi::Outcome& outcome) {
  std::vector<std::string> names;
  for (size_t i = 0; i < std::size(abi::kUnheededNames); ++i) {
    if ((outcome.unheeded >> i & 1) != 0) {
      names.emplace_back(abi::kUnheededNames[i]);
    }
  }
  return names;
}

std::vector<std::string> UncontrolledLines(const abi::Outcome& outcome,
                                           Namer* namer) {
  std::vector<std::string> lines;
  for (const UncontrolledSource& source : UncontrolledSources(outcome, namer)) {
    lines.push_back(fmt::format("{} ({})", source.text, source.number));
  }
  return lines;
}

std::string DescriptorText(uint64_t object) {
  // As runtime/outside/waiting.h makes it: 0 stands for no descriptor.
  return object == 0 ? "waits in a call of the kernel"
                     : fmt::format("waits for descriptor {}", object - 1);
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

}  // namespace fairlead::explore
