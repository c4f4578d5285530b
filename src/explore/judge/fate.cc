#include "explore/judge/fate.h"

#include <signal.h>

#include <algorithm>

namespace fairlead::explore {
namespace {

// Signals by which a program ends itself through a fault of its own. Others
// come from outside, unless the runtime has seen the program send them.
constexpr int kFaults[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                           SIGABRT, SIGTRAP, SIGSYS};

bool IsFault(int signal) {
  return std::ranges::find(kFaults, signal) != std::end(kFaults);
}

// Perhaps for a call of ours, so that it says nothing about the program.
bool IsEndedByFilter(const Executed& executed) {
  const auto filters = static_cast<size_t>(abi::Uncontrolled::kSeccomp);
  return executed.ending.signal == SIGSYS &&
         executed.outcome.uncontrolled[filters] != 0;
}

// A server that was ended behind its client is all right.
bool IsStoppedServer(const Executed& executed) {
  const uint64_t flags = executed.memory->plan().flags;
  return (flags & abi::kPlanDriven) != 0 && executed.outcome.signal == SIGTERM;
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

// Of one whose end the runtime did not see: the process says how it ended.
Fate OfProcess(const Executed& executed) {
  const int signal = executed.ending.signal;
  if (signal == 0) return Fate::kEnded;
  if (IsEndedByFilter(executed)) return Fate::kFiltered;
  return IsFault(signal) ? Fate::kDied : Fate::kKilled;
}

// Of one that had not ended when the tool stopped it, or did not begin.
Fate OfUnfinished(const Executed& executed, Fate if_nobody) {
  switch (executed.stopped_by) {
    case StoppedBy::kNobody:
      return if_nobody;
    case StoppedBy::kTimeout:
      return Fate::kOutOfTime;
    case StoppedBy::kSuspended:
      return Fate::kSuspended;
    case StoppedBy::kUser:
      return Fate::kInterrupted;
    case StoppedBy::kOutput:
      return Fate::kOverfull;
    case StoppedBy::kDriver:
      return Fate::kEnded;
    case StoppedBy::kServerLost:
      return Fate::kServerLost;
    case StoppedBy::kDestroyed:
      return Fate::kDestroyed;
  }
  return Fate::kOutOfTime;
}

}  // namespace

Fate FateOf(const Executed& executed) {
  const abi::Outcome& outcome = executed.outcome;
  switch (outcome.status) {
    case abi::Status::kNotStarted:
      return OfUnfinished(executed, Fate::kNotStarted);
    case abi::Status::kRunning:
      return OfUnfinished(executed, OfProcess(executed));
    case abi::Status::kEnded:
      // Its time may be over in what runs at exit, after the word; so may a
      // fault come.
      if (outcome.cut_reason != abi::CutReason::kNone) return Fate::kOutOfTime;
      return executed.ending.signal == 0
                 ? Fate::kEnded
                 : OfUnfinished(executed, OfProcess(executed));
    case abi::Status::kSignaled:
      if (IsStoppedServer(executed)) return Fate::kEnded;
      if (IsEndedByFilter(executed)) return Fate::kFiltered;
      // Who stops it may have sent another one.
      return IsFault(outcome.signal) ? Fate::kDied
                                     : OfUnfinished(executed, Fate::kDied);
    case abi::Status::kDeadlock:
      return Fate::kDeadlock;
    case abi::Status::kLivelock:
      return Fate::kLivelock;
    case abi::Status::kMisuse:
      return Fate::kMisused;
    case abi::Status::kCut:
      return outcome.cut_reason == abi::CutReason::kTime &&
                     NobodyCouldMove(executed)
                 ? Fate::kWaitedOutside
                 : Fate::kCut;
    case abi::Status::kDivergence:
      return Fate::kDiverged;
    case abi::Status::kReplaced:
      return executed.stopped_by == StoppedBy::kUser ? Fate::kInterrupted
                                                     : Fate::kReplaced;
    case abi::Status::kUnsupported:
      return Fate::kUnsupported;
    case abi::Status::kInternal:
      return Fate::kOurBug;
  }
  return Fate::kOurBug;
}

int SignalOf(const Executed& executed) {
  return executed.outcome.status == abi::Status::kSignaled
             ? executed.outcome.signal
             : executed.ending.signal;
}

}  // namespace fairlead::explore
