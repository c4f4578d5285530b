// One execution, judged by itself (explore/judge/verdict.h) and as campaigns do
// it (explore/judge/oracles.h): both say the same of every end that there is.

#include "explore/judge/verdict.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <set>

#include "explore/judge/oracles.h"
#include "explore/judge/outcome_oracle.h"
#include "scripted_runner.h"

namespace fairlead::explore {
namespace {

using abi::Status;
using finding::Kind;
using End = Judgement::End;

struct Case {
  const char* name;
  Status status;
  void (*change)(Scripted&);
  const char* word;
  End end;
  Kind kind = Kind::kCrash;  // if it failed
  const char* reason = "";   // if it was cut
};

void Nothing(Scripted&) {}

void Seccomp(Scripted& s) {
  s.outcome.uncontrolled[static_cast<size_t>(abi::Uncontrolled::kSeccomp)] = 1;
}

template <int kSignal>
void ByKernel(Scripted& s) {
  s.ending = {-1, kSignal};
}

template <int kSignal>
void BySignal(Scripted& s) {
  s.ending = {-1, kSignal};
  s.outcome.signal = kSignal;
}

template <StoppedBy kWho>
void Stopped(Scripted& s) {
  s.ending = {-1, SIGKILL};
  s.stopped_by = kWho;
}

template <abi::CutReason kReason>
void Because(Scripted& s) {
  s.outcome.cut_reason = kReason;
}

constexpr Case kCases[] = {
    {"it never began", Status::kNotStarted, Nothing, "not-started",
     End::kUnable},
    {"stopped before it began", Status::kNotStarted, Stopped<StoppedBy::kUser>,
     "interrupted", End::kStopped},

    {"exit, unseen", Status::kRunning, Nothing, "ok", End::kOk},
    {"killed", Status::kRunning, ByKernel<SIGKILL>, "killed", End::kCut,
     Kind::kCrash, "ended from outside by SIGKILL"},
    {"^C", Status::kRunning, ByKernel<SIGINT>, "interrupted", End::kCut,
     Kind::kCrash, "ended from outside by SIGINT"},
    {"killed, after a misuse", Status::kRunning,
     [](Scripted& s) {
       s.ending = {-1, SIGKILL};
       s.outcome.misuse = abi::Misuse::kDoubleFree;
     },
     "misuse", End::kFailed, Kind::kDoubleFree},
    {"SIGSEGV, unseen", Status::kRunning, ByKernel<SIGSEGV>, "crash",
     End::kFailed, Kind::kCrash},
    {"SIGBUS, unseen", Status::kRunning, ByKernel<SIGBUS>, "crash",
     End::kFailed, Kind::kCrash},
    {"SIGFPE, unseen", Status::kRunning, ByKernel<SIGFPE>, "crash",
     End::kFailed, Kind::kCrash},
    {"SIGILL, unseen", Status::kRunning, ByKernel<SIGILL>, "crash",
     End::kFailed, Kind::kCrash},
    {"SIGTRAP, unseen", Status::kRunning, ByKernel<SIGTRAP>, "crash",
     End::kFailed, Kind::kCrash},
    {"SIGSYS, unseen", Status::kRunning, ByKernel<SIGSYS>, "crash",
     End::kFailed, Kind::kCrash},
    {"SIGABRT, unseen", Status::kRunning, ByKernel<SIGABRT>, "crash",
     End::kFailed, Kind::kAbort},
    {"its filter", Status::kRunning,
     [](Scripted& s) {
       ByKernel<SIGSYS>(s);
       Seccomp(s);
     },
     "cut", End::kCut, Kind::kCrash,
     "the program's own filter of system calls (seccomp) ended it"},
    {"too late", Status::kRunning, Stopped<StoppedBy::kTimeout>, "cut",
     End::kCut, Kind::kCrash, "out of time"},
    {"suspended", Status::kRunning, Stopped<StoppedBy::kSuspended>, "cut",
     End::kCut, Kind::kCrash, "out of time while it was stopped (SIGSTOP)"},
    {"too much output", Status::kRunning, Stopped<StoppedBy::kOutput>, "cut",
     End::kCut, Kind::kCrash, "printed too much"},
    {"a lost fork server", Status::kRunning, Stopped<StoppedBy::kServerLost>,
     "cut", End::kCut, Kind::kCrash, "its fork server was ended from outside"},
    {"a destroyed page", Status::kRunning, Stopped<StoppedBy::kDestroyed>,
     "destroyed", End::kCut, Kind::kCrash,
     "wrote over the memory that it shares with fairlead"},
    {"stopped by the user", Status::kRunning, Stopped<StoppedBy::kUser>,
     "interrupted", End::kStopped},
    {"a server behind its client", Status::kRunning,
     Stopped<StoppedBy::kDriver>, "ok", End::kOk},

    {"right", Status::kEnded, Nothing, "ok", End::kOk},
    {"another exit code", Status::kEnded,
     [](Scripted& s) { s.ending.exit_code = 3; }, "exit", End::kFailed,
     Kind::kExit},
    {"a fault at exit", Status::kEnded, ByKernel<SIGSEGV>, "crash",
     End::kFailed, Kind::kCrash},
    {"killed at exit", Status::kEnded, ByKernel<SIGKILL>, "killed", End::kCut,
     Kind::kCrash, "ended from outside by SIGKILL"},
    {"stopped at exit", Status::kEnded, Stopped<StoppedBy::kUser>,
     "interrupted", End::kStopped},
    {"too late at exit", Status::kEnded, Stopped<StoppedBy::kTimeout>, "cut",
     End::kCut, Kind::kCrash, "out of time"},
    {"stopped by the runtime at exit", Status::kEnded,
     [](Scripted& s) {
       s.outcome.cut_reason = abi::CutReason::kTime;
       s.ending.exit_code = abi::kStoppedExitCode;
     },
     "cut", End::kCut, Kind::kCrash, "out of time"},
    {"a misuse", Status::kEnded,
     [](Scripted& s) { s.outcome.misuse = abi::Misuse::kUseAfterFree; },
     "misuse", End::kFailed, Kind::kUseAfterFree},
    {"a claim", Status::kEnded,
     [](Scripted& s) { s.outcome.misuse = abi::Misuse::kAlwaysBroken; },
     "misuse", End::kFailed, Kind::kAlways},
    {"a closure", Status::kEnded,
     [](Scripted& s) { s.outcome.misuse = abi::Misuse::kClosureFailed; },
     "closure", End::kFailed, Kind::kClosure},
    {"a sanitizer", Status::kEnded,
     [](Scripted& s) { s.outcome.misuse = abi::Misuse::kSanitizer; },
     "sanitizer", End::kFailed, Kind::kSanitizer},

    {"a fault", Status::kSignaled, BySignal<SIGSEGV>, "crash", End::kFailed,
     Kind::kCrash},
    {"a signal that it sent itself", Status::kSignaled, BySignal<SIGTERM>,
     "crash", End::kFailed, Kind::kCrash},
    {"a signal of who stops it", Status::kSignaled,
     [](Scripted& s) {
       BySignal<SIGTERM>(s);
       s.stopped_by = StoppedBy::kUser;
     },
     "interrupted", End::kStopped},
    {"an abort", Status::kSignaled, BySignal<SIGABRT>, "crash", End::kFailed,
     Kind::kAbort},
    {"an assertion", Status::kSignaled,
     [](Scripted& s) {
       BySignal<SIGABRT>(s);
       s.outcome.abort_cause = abi::AbortCause::kAssertion;
     },
     "crash", End::kFailed, Kind::kAssertion},
    {"an exception", Status::kSignaled,
     [](Scripted& s) {
       BySignal<SIGABRT>(s);
       s.outcome.abort_cause = abi::AbortCause::kUncaught;
     },
     "crash", End::kFailed, Kind::kUncaught},
    {"a fault after a misuse", Status::kSignaled,
     [](Scripted& s) {
       BySignal<SIGSEGV>(s);
       s.outcome.misuse = abi::Misuse::kUseAfterFree;
     },
     "misuse", End::kFailed, Kind::kUseAfterFree},
    {"an abort for a misuse", Status::kSignaled,
     [](Scripted& s) {
       BySignal<SIGABRT>(s);
       s.outcome.misuse = abi::Misuse::kDoubleFree;
     },
     "misuse", End::kFailed, Kind::kDoubleFree},
    {"its filter, seen", Status::kSignaled,
     [](Scripted& s) {
       BySignal<SIGSYS>(s);
       Seccomp(s);
     },
     "cut", End::kCut, Kind::kCrash,
     "the program's own filter of system calls (seccomp) ended it"},

    {"deadlock", Status::kDeadlock, Nothing, "deadlock", End::kFailed,
     Kind::kDeadlock},
    {"lost wake-up", Status::kDeadlock,
     [](Scripted& s) {
       s.outcome.num_waits = 1;
       s.outcome.waits[0].op = abi::EventKind::kWait;
     },
     "deadlock", End::kFailed, Kind::kLostWakeup},
    {"livelock", Status::kLivelock, Nothing, "livelock", End::kFailed,
     Kind::kLivelock},
    {"ended for a misuse", Status::kMisuse,
     [](Scripted& s) { s.outcome.misuse = abi::Misuse::kBadFree; }, "misuse",
     End::kFailed, Kind::kBadFree},
    {"ended by a sanitizer", Status::kMisuse,
     [](Scripted& s) { s.outcome.misuse = abi::Misuse::kSanitizer; },
     "sanitizer", End::kFailed, Kind::kSanitizer},

    {"steps", Status::kCut, Because<abi::CutReason::kSteps>, "cut", End::kCut,
     Kind::kCrash, "too many steps"},
    {"time", Status::kCut, Because<abi::CutReason::kTime>, "cut", End::kCut,
     Kind::kCrash, "out of time"},
    {"a call that does not come back", Status::kCut,
     [](Scripted& s) {
       s.outcome.cut_reason = abi::CutReason::kTime;
       s.outcome.blocked_pc = s.outcome.fault_pc = 1;
     },
     "cut", End::kCut, Kind::kCrash,
     "waited for something from outside, which did not come"},
    {"a spin", Status::kCut, Because<abi::CutReason::kUninstrumentedSpin>,
     "cut", End::kCut, Kind::kCrash, "spins in a loop without points"},
    {"threads", Status::kCut, Because<abi::CutReason::kThreads>, "cut",
     End::kCut, Kind::kCrash, "too many threads"},
    {"from outside", Status::kCut, Because<abi::CutReason::kStoppedFromOutside>,
     "cut", End::kCut, Kind::kCrash, "stopped"},

    {"divergence", Status::kDivergence, Nothing, "diverged", End::kCut,
     Kind::kCrash, "left its schedule"},
    {"unsupported", Status::kUnsupported, Nothing, "unsupported", End::kUnable},
    {"our bug", Status::kInternal, Nothing, "our-bug", End::kUnable},

    {"exec", Status::kReplaced, Nothing, "replaced", End::kCut, Kind::kCrash,
     "became another program"},
    {"exec of what crashes", Status::kReplaced, ByKernel<SIGSEGV>, "replaced",
     End::kCut, Kind::kCrash, "became another program"},
    {"exec of what fails", Status::kReplaced,
     [](Scripted& s) { s.ending.exit_code = 3; }, "replaced", End::kCut,
     Kind::kCrash, "became another program"},
    {"exec, stopped by the user", Status::kReplaced, Stopped<StoppedBy::kUser>,
     "interrupted", End::kStopped},
};

Finished FinishedOf(ScriptedRunner& runner) {
  EXPECT_TRUE(runner.Start(0, {}));
  return **runner.Next(std::chrono::milliseconds(0));
}

// What the exit code of `run` is, where campaigns say `end`.
std::set<ExitCode> ExitsFor(End end) {
  switch (end) {
    case End::kOk:
      return {ExitCode::kNothingFound};
    case End::kFailed:
      return {ExitCode::kFindings};
    case End::kCut:
    case End::kStopped:
      return {ExitCode::kUnknown};
    case End::kUnable:
      return {ExitCode::kEnvironment, ExitCode::kOurBug};
  }
  return {};
}

void CheckEnd(const Case& each) {
  Scripted scripted;
  scripted.outcome.status = each.status;
  each.change(scripted);
  ScriptedRunner runner(1, [&](uint64_t, const Task&) { return scripted; });
  const Finished finished = FinishedOf(runner);

  const Judgement judgement = Oracles({}).Judge(finished);
  EXPECT_EQ(judgement.end, each.end);
  EXPECT_EQ(judgement.reason, each.reason);
  ASSERT_EQ(judgement.failure.has_value(), each.end == End::kFailed);
  if (judgement.failure) EXPECT_EQ(judgement.failure->kind, each.kind);

  Namer namer(*finished.executed.memory);
  const Verdict verdict = Judge(finished.executed, {}, namer);
  EXPECT_EQ(WordOf(verdict.word), each.word);
  EXPECT_TRUE(ExitsFor(each.end).contains(verdict.exit));
  // A runtime that leaves no text has none to repeat.
  const bool has_text = each.status != Status::kUnsupported &&
                        verdict.word != VerdictWord::kSanitizer &&
                        verdict.word != VerdictWord::kClosure;
  EXPECT_EQ(verdict.sentence.empty(), !has_text) << verdict.sentence;
}

TEST(Verdict, IsThatOfCampaignsForEveryEnd) {
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.name);
    CheckEnd(each);
  }
}

TEST(Verdict, IsTriedForEveryStatus) {
  std::set<Status> tried;
  for (const Case& each : kCases) tried.insert(each.status);
  EXPECT_EQ(tried.size(), static_cast<size_t>(Status::kReplaced) + 1);
}

TEST(Verdict, AcceptsZeroBesidesTheExitCodesThatAreAskedFor) {
  for (const auto& [code, right] :
       {std::pair(0, true), {3, true}, {4, true}, {5, false}}) {
    SCOPED_TRACE(code);
    Scripted scripted = ScriptedRunner::Ended();
    scripted.ending.exit_code = code;
    ScriptedRunner runner(1, [&](uint64_t, const Task&) { return scripted; });
    const Finished finished = FinishedOf(runner);
    Namer namer(*finished.executed.memory);
    EXPECT_EQ(Judge(finished.executed, {3, 4}, namer).word,
              right ? VerdictWord::kOk : VerdictWord::kExit);
    EXPECT_EQ(Oracles({.ok_exits = {3, 4}}).Judge(finished).end,
              right ? End::kOk : End::kFailed);
  }
}

}  // namespace
}  // namespace fairlead::explore
