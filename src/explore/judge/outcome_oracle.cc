#include "explore/judge/outcome_oracle.h"

#include <signal.h>

#include <algorithm>
#include <span>

#include "base/digest.h"
#include "explore/names/crash_place.h"

namespace fairlead::explore {
namespace {

using abi::Misuse;
using finding::Kind;
using End = Judgement::End;

// Signals by which a program ends itself; others come from outside.
constexpr int kFaults[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                           SIGABRT, SIGTRAP, SIGSYS};

// A code address told without where the system has put its module.
uint64_t Relative(uint64_t address, const ControlMemory& memory) {
  for (const auto& module :
       memory.Copy<abi::ModuleEntry>(abi::RegionId::kModules)) {
    if (address >= module.begin && address < module.end) {
      return address - module.base;
    }
  }
  return 0;
}

// Whether a thread waits for something that another one would have to send.
bool WaitsForWord(abi::EventKind op) {
  switch (op) {
    case abi::EventKind::kWait:
    case abi::EventKind::kWaitDone:
    case abi::EventKind::kFutexWait:
    case abi::EventKind::kFutexDone:
    case abi::EventKind::kSemWait:
      return true;
    default:
      return false;
  }
}

std::span<const abi::WaitRecord> WaitsOf(const abi::Outcome& outcome) {
  return {outcome.waits, std::min<size_t>(outcome.num_waits, abi::kMaxWaits)};
}

Kind KindOfDeadlock(const abi::Outcome& outcome) {
  bool word = false;
  for (const abi::WaitRecord& wait : WaitsOf(outcome)) {
    if (wait.in_cycle == 1) return Kind::kDeadlock;
    word = word || WaitsForWord(wait.op);
  }
  if (WaitUnderLockOf(outcome).waits != nullptr) return Kind::kDeadlock;
  return word ? Kind::kLostWakeup : Kind::kDeadlock;
}

Failure FailureOf(Kind kind, const Executed& executed) {
  const abi::Outcome& outcome = executed.outcome;
  Digester key;
  key.Add(kind);
  key.Add(executed.ending.signal);
  key.Add(executed.ending.exit_code);
  key.Add(outcome.misuse);
  if (outcome.misuse != Misuse::kNone) {
    key.Add(outcome.misused.site);
    key.Add(outcome.misused.site_flags);
  }
  if (outcome.status == abi::Status::kSignaled) {
    // A fault in what the program called is told by where it did.
    const uint64_t at = CrashPlaceOf(executed).address;
    key.Add(Relative(at != 0 ? at : outcome.fault_pc, *executed.memory));
  }
  std::vector<uint64_t> waits;
  for (uint32_t i = 0; i < outcome.num_waits; ++i) {
    const abi::WaitRecord& wait = outcome.waits[i];
    waits.push_back(uint64_t{wait.site_flags} << 32 | wait.site);
  }
  std::ranges::sort(waits);
  for (const uint64_t wait : waits) key.Add(wait);
  key.Add(DigestOf(std::string_view(outcome.cause)));
  return {
      .kind = kind, .key = key.Value(), .cause = outcome.cause, .details = {}};
}

// A failure, and what was misused before it came to that.
OutcomeJudgement Failed(Kind kind, const Executed& executed) {
  OutcomeJudgement judgement = {.end = End::kFailed};
  judgement.failures.push_back(FailureOf(kind, executed));
  const Misuse misuse = executed.outcome.misuse;
  if (misuse != Misuse::kNone && KindOf(misuse) != kind) {
    judgement.failures.push_back(FailureOf(KindOf(misuse), executed));
  }
  return judgement;
}

OutcomeJudgement Cut(std::string reason) {
  return {.end = End::kCut, .reason = std::move(reason)};
}

OutcomeJudgement DiedAlone(int signal, const Executed& executed) {
  const abi::Outcome& outcome = executed.outcome;
  if (IsEndedByFilter(executed)) return Cut(std::string(kEndedByFilter));
  if (std::ranges::find(kFaults, signal) == std::end(kFaults)) {
    return Cut(fmt::format("ended from outside by {}", SignalName(signal)));
  }
  if (signal != SIGABRT) return Failed(Kind::kCrash, executed);
  switch (outcome.abort_cause) {
    case abi::AbortCause::kAssertion:
      return Failed(Kind::kAssertion, executed);
    case abi::AbortCause::kUncaught:
      return Failed(Kind::kUncaught, executed);
    case abi::AbortCause::kUnknown:
      break;
  }
  return Failed(Kind::kAbort, executed);
}

// Died by a signal. A misuse says why; but for an abort without a cause, which
// may be what the runtime did about it, the signal is a failure, too.
OutcomeJudgement Died(int signal, const Executed& executed) {
  const Misuse misuse = executed.outcome.misuse;
  OutcomeJudgement judgement = DiedAlone(signal, executed);
  if (misuse == Misuse::kNone) return judgement;
  const bool for_it = signal == SIGABRT &&
                      executed.outcome.abort_cause == abi::AbortCause::kUnknown;
  if (judgement.end != End::kFailed || for_it) {
    return {.end = End::kFailed,
            .failures = {FailureOf(KindOf(misuse), executed)}};
  }
  std::ranges::reverse(judgement.failures);
  return judgement;
}

OutcomeJudgement Unable(Error error) {
  return {.end = End::kUnable, .error = std::move(error)};
}

std::string CutReason(abi::CutReason reason) {
  switch (reason) {
    case abi::CutReason::kSteps:
      return "too many steps";
    case abi::CutReason::kTime:
      return "out of time";
    case abi::CutReason::kUninstrumentedSpin:
      return "spins in code without sites";
    case abi::CutReason::kThreads:
      return "too many threads";
    default:
      return "stopped";
  }
}

// Whether all threads waited when time was over, or the one that ran did so in
// a call that the kernel did not come back from. Had nothing from outside been
// able to end that, it would be a deadlock.
bool NobodyCouldMove(const Executed& executed) {
  const abi::Outcome& outcome = executed.outcome;
  if (outcome.blocked_pc != 0 && outcome.fault_pc == outcome.blocked_pc) {
    return true;
  }
  const auto threads =
      executed.memory->Copy<abi::ThreadEntry>(abi::RegionId::kThreads);
  return !threads.empty() &&
         std::ranges::none_of(threads, [](const abi::ThreadEntry& thread) {
           return thread.end == abi::ThreadEnd::kCouldRun ||
                  thread.end == abi::ThreadEnd::kUnknown;
         });
}

// A server that was ended behind its client is all right.
bool IsStoppedServer(const Executed& executed, int signal) {
  const uint64_t flags = executed.memory->plan().flags;
  return (flags & abi::kPlanDriven) != 0 && signal == SIGTERM;
}

OutcomeJudgement Stopped(StoppedBy reason) {
  switch (reason) {
    case StoppedBy::kDriver:
      return {};
    case StoppedBy::kUser:
      return {.end = End::kStopped};
    case StoppedBy::kOutput:
      return Cut("printed too much");
    case StoppedBy::kSuspended:
      return Cut("out of time while it was stopped (SIGSTOP)");
    case StoppedBy::kDestroyed:
      return Cut("wrote over the memory that it shares with fairlead");
    default:
      return Cut("out of time");
  }
}

}  // namespace

WaitUnderLock WaitUnderLockOf(const abi::Outcome& outcome) {
  for (const abi::WaitRecord& waits : WaitsOf(outcome)) {
    if (!WaitsForWord(waits.op) || waits.holder != abi::Tid::kNone) continue;
    for (const abi::WaitRecord& blocked : WaitsOf(outcome)) {
      if (blocked.holder != waits.thread) continue;
      // Of a thread that others join, nothing is held.
      if (blocked.op == abi::EventKind::kJoin) continue;
      return {&waits, &blocked};
    }
  }
  return {};
}

Kind KindOf(Misuse misuse) {
  switch (misuse) {
    case Misuse::kDoubleFree:
      return Kind::kDoubleFree;
    case Misuse::kBadFree:
      return Kind::kBadFree;
    case Misuse::kUseAfterFree:
      return Kind::kUseAfterFree;
    case Misuse::kAlwaysBroken:
      return Kind::kAlways;
    case Misuse::kClosureFailed:
      return Kind::kClosure;
    case Misuse::kSanitizer:
      return Kind::kSanitizer;
    default:
      return Kind::kMisuse;
  }
}

bool IsEndedByFilter(const Executed& executed) {
  const auto filters = static_cast<size_t>(abi::Uncontrolled::kSeccomp);
  return executed.ending.signal == SIGSYS &&
         executed.outcome.uncontrolled[filters] != 0;
}

OutcomeJudgement JudgeOutcome(const Executed& executed) {
  const abi::Outcome& outcome = executed.outcome;
  const int signal = executed.ending.signal;
  switch (outcome.status) {
    case abi::Status::kNotStarted:
      if (executed.stopped_by != StoppedBy::kNobody) {
        return Stopped(executed.stopped_by);
      }
      return Unable(
          Error(ErrorCode::kEnvironment)
              .Say("the program was gone ({}) before our runtime began in it",
                   EndingText(executed.ending))
              .Hint("run it without fairlead to see why: a library may be "
                    "missing"));
    case abi::Status::kRunning:
      if (executed.stopped_by != StoppedBy::kNobody) {
        return Stopped(executed.stopped_by);
      }
      if (signal != 0) return Died(signal, executed);
      break;
    case abi::Status::kEnded:
      // A fault in what runs at exit comes after the word.
      if (executed.stopped_by == StoppedBy::kDriver) break;
      if (signal != 0) return Died(signal, executed);
      break;
    case abi::Status::kSignaled:
      if (IsStoppedServer(executed, outcome.signal)) break;
      return Died(outcome.signal, executed);
    case abi::Status::kDeadlock:
      return Failed(KindOfDeadlock(outcome), executed);
    case abi::Status::kLivelock:
      return Failed(Kind::kLivelock, executed);
    case abi::Status::kMisuse:
      break;
    case abi::Status::kCut:
      if (outcome.cut_reason == abi::CutReason::kTime &&
          NobodyCouldMove(executed)) {
        return Cut(std::string(kWaitedOutside));
      }
      return Cut(CutReason(outcome.cut_reason));
    case abi::Status::kDivergence:
      return Cut("left its schedule");
    case abi::Status::kReplaced:
      return Cut("became another program");
    case abi::Status::kUnsupported:
      return Unable(
          Error(ErrorCode::kUnsupportedProgram).Say("{}", outcome.text));
    case abi::Status::kInternal:
      return Unable(Error(ErrorCode::kOurBug)
                        .Say("bug in fairlead's runtime: {}", outcome.text));
  }
  if (outcome.misuse == Misuse::kNone) return {};
  OutcomeJudgement judgement = Failed(KindOf(outcome.misuse), executed);
  judgement.went_on = outcome.status != abi::Status::kMisuse;
  judgement.explains_exit = outcome.misuse == Misuse::kSanitizer ||
                            outcome.misuse == Misuse::kClosureFailed;
  return judgement;
}

}  // namespace fairlead::explore
