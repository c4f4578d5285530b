#include "explore/judge/outcome_oracle.h"

#include <signal.h>

#include <algorithm>
#include <span>

#include "base/digest.h"
#include "explore/judge/fate_words.h"
#include "explore/judge/oracle.h"
#include "explore/names/crash_place.h"
#include "finding/fingerprint.h"
#include "finding/printed.h"

namespace fairlead::explore {
namespace {

using abi::Misuse;
using finding::Kind;
using End = Judgement::End;

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

OutcomeJudgement Cut(Fate fate, const Executed& executed) {
  return {.end = End::kCut, .reason = CutReasonOf(fate, executed)};
}

// Of an abort, what the program said to a hook of ours tells the kind.
Kind KindOfDeath(const Executed& executed) {
  if (SignalOf(executed) != SIGABRT) return Kind::kCrash;
  switch (executed.outcome.abort_cause) {
    case abi::AbortCause::kAssertion:
      return Kind::kAssertion;
    case abi::AbortCause::kUncaught:
      return Kind::kUncaught;
    case abi::AbortCause::kUnknown:
      break;
  }
  return Kind::kAbort;
}

// Died by a signal. A misuse says why; but for an abort without a cause, which
// may be what the runtime did about it, the signal is a failure, too.
OutcomeJudgement Died(const Executed& executed) {
  OutcomeJudgement judgement = Failed(KindOfDeath(executed), executed);
  if (judgement.failures.size() == 1) return judgement;
  std::ranges::reverse(judgement.failures);
  if (judgement.failures.back().kind == Kind::kAbort) {
    judgement.failures.pop_back();
  }
  return judgement;
}

// Ended by a signal that says nothing about it; what it misused until then is
// known all the same.
OutcomeJudgement EndedByOthers(Fate fate, const Executed& executed) {
  if (executed.outcome.misuse == Misuse::kNone) return Cut(fate, executed);
  return {.end = End::kFailed,
          .failures = {FailureOf(KindOf(executed.outcome.misuse), executed)}};
}

// Came to its end, or was ended for a misuse.
OutcomeJudgement Ended(const Executed& executed) {
  const Misuse misuse = executed.outcome.misuse;
  if (misuse == Misuse::kNone) return {};
  OutcomeJudgement judgement = Failed(KindOf(misuse), executed);
  judgement.went_on = true;
  judgement.explains_exit =
      misuse == Misuse::kSanitizer || misuse == Misuse::kClosureFailed;
  return judgement;
}

OutcomeJudgement Unable(Error error) {
  return {.end = End::kUnable, .error = std::move(error)};
}

OutcomeJudgement Judged(Fate fate, const Executed& executed) {
  const abi::Outcome& outcome = executed.outcome;
  switch (fate) {
    case Fate::kEnded:
      return Ended(executed);
    case Fate::kMisused:
      return Failed(KindOf(outcome.misuse), executed);
    case Fate::kDied:
      return Died(executed);
    case Fate::kDeadlock:
      return Failed(KindOfDeadlock(outcome), executed);
    case Fate::kLivelock:
      return Failed(Kind::kLivelock, executed);
    case Fate::kKilled:
    case Fate::kFiltered:
      return EndedByOthers(fate, executed);
    case Fate::kCut:
    case Fate::kWaitedOutside:
    case Fate::kDiverged:
    case Fate::kReplaced:
    case Fate::kOutOfTime:
    case Fate::kSuspended:
    case Fate::kOverfull:
    case Fate::kDestroyed:
    case Fate::kServerLost:
      return Cut(fate, executed);
    case Fate::kInterrupted:
      return {.end = End::kStopped};
    case Fate::kNotStarted:
      return Unable(Error(ErrorCode::kEnvironment)
                        .Say("{}", NotStartedText(executed))
                        .Hint("{}", kNotStartedHint));
    case Fate::kUnsupported:
      return Unable(
          Error(ErrorCode::kUnsupportedProgram).Say("{}", outcome.text));
    case Fate::kOurBug:
      break;
  }
  return Unable(Error(ErrorCode::kOurBug).Say("{}", OurBugText(executed)));
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

class OutcomeOracle final : public Oracle {
 public:
  Opinion Judge(const Evidence& evidence) override {
    const OutcomeJudgement& outcome = evidence.outcome;
    Opinion opinion = {.failures = outcome.failures,
                       .explains_exit = outcome.explains_exit,
                       .is_last = !outcome.went_on};
    for (Failure& failure : opinion.failures) {
      if (failure.kind != Kind::kAbort) continue;
      TellAborts(*evidence.finished.output, failure);
    }
    return opinion;
  }
};

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
    case Misuse::kOutOfBounds:
      return Kind::kOutOfBounds;
    case Misuse::kUninitialised:
      return Kind::kUninitialised;
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

OutcomeJudgement JudgeOutcome(const Executed& executed) {
  const Fate fate = FateOf(executed);
  OutcomeJudgement judgement = Judged(fate, executed);
  judgement.fate = fate;
  return judgement;
}

std::unique_ptr<Oracle> MakeOutcomeOracle(const OracleSetting&) {
  return std::make_unique<OutcomeOracle>();
}

}  // namespace fairlead::explore
