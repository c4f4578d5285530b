// What each oracle says about executions that are made up.

#include "explore/judge/oracles.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/patience.h"
#include "explore/judge/sanitizer_oracle.h"
#include "scripted_runner.h"

namespace fairlead::explore {
namespace {

abi::WaitRecord WaitOf(abi::Tid thread, abi::Tid holder, abi::EventKind op) {
  abi::WaitRecord wait = {};
  wait.thread = thread;
  wait.holder = holder;
  wait.op = op;
  return wait;
}

using finding::Kind;
using End = Judgement::End;

Judgement Judge(const Scripted& scripted, Expectations expectations = {},
                uint64_t flags = 0) {
  ScriptedRunner runner(1, [&](uint64_t, const Task&) { return scripted; });
  Task task;
  task.plan.flags = flags;
  EXPECT_TRUE(runner.Start(0, task));
  const Finished finished = **runner.Next(std::chrono::milliseconds(0));
  return Oracles(std::move(expectations)).Judge(finished);
}

TEST(Oracle, TellsFailuresByHowAnExecutionEnded) {
  struct Case {
    const char* name;
    void (*change)(Scripted&);
    End end;
    Kind kind = Kind::kCrash;
  };
  constexpr Case kCases[] = {
      {"right", [](Scripted&) {}, End::kOk},
      {"exit code", [](Scripted& s) { s.ending.exit_code = 3; }, End::kFailed,
       Kind::kExit},
      {"crash",
       [](Scripted& s) {
         s.outcome.status = abi::Status::kSignaled;
         s.outcome.signal = s.ending.signal = SIGSEGV;
       },
       End::kFailed, Kind::kCrash},
      {"abort",
       [](Scripted& s) {
         s.outcome.status = abi::Status::kSignaled;
         s.outcome.signal = s.ending.signal = SIGABRT;
       },
       End::kFailed, Kind::kAbort},
      {"assertion",
       [](Scripted& s) {
         s.outcome.status = abi::Status::kSignaled;
         s.outcome.signal = s.ending.signal = SIGABRT;
         s.outcome.abort_cause = abi::AbortCause::kAssertion;
       },
       End::kFailed, Kind::kAssertion},
      {"deadlock",
       [](Scripted& s) {
         s.outcome.status = abi::Status::kDeadlock;
         s.outcome.num_waits = 1;
         s.outcome.waits[0].in_cycle = 1;
       },
       End::kFailed, Kind::kDeadlock},
      {"lost wake-up",
       [](Scripted& s) {
         s.outcome.status = abi::Status::kDeadlock;
         s.outcome.num_waits = 1;
         s.outcome.waits[0].op = abi::EventKind::kWaitDone;
       },
       End::kFailed, Kind::kLostWakeup},
      {"a wait under a lock that another thread waits for",
       [](Scripted& s) {
         s.outcome.status = abi::Status::kDeadlock;
         s.outcome.num_waits = 2;
         s.outcome.waits[0] =
             WaitOf(abi::Tid{1}, abi::Tid::kNone, abi::EventKind::kWait);
         s.outcome.waits[1] =
             WaitOf(abi::Tid{2}, abi::Tid{1}, abi::EventKind::kLock);
       },
       End::kFailed, Kind::kDeadlock},
      {"a wait while others wait for the thread's end",
       [](Scripted& s) {
         s.outcome.status = abi::Status::kDeadlock;
         s.outcome.num_waits = 2;
         s.outcome.waits[0] =
             WaitOf(abi::Tid{1}, abi::Tid::kNone, abi::EventKind::kWait);
         s.outcome.waits[1] =
             WaitOf(abi::Tid{0}, abi::Tid{1}, abi::EventKind::kJoin);
       },
       End::kFailed, Kind::kLostWakeup},
      {"livelock",
       [](Scripted& s) { s.outcome.status = abi::Status::kLivelock; },
       End::kFailed, Kind::kLivelock},
      {"misuse, whatever the exit code",
       [](Scripted& s) {
         s.outcome.misuse = abi::Misuse::kDoubleFree;
         s.ending.exit_code = 1;
       },
       End::kFailed, Kind::kDoubleFree},
      {"closure",
       [](Scripted& s) {
         s.outcome.misuse = abi::Misuse::kClosureFailed;
         s.ending.exit_code = 1;
       },
       End::kFailed, Kind::kClosure},
      {"killed from outside",
       [](Scripted& s) {
         s.outcome.status = abi::Status::kRunning;
         s.ending = {-1, SIGKILL};
       },
       End::kCut},
      {"out of time",
       [](Scripted& s) {
         s.outcome.status = abi::Status::kRunning;
         s.stopped_by = StoppedBy::kTimeout;
       },
       End::kCut},
      {"stopped by the user",
       [](Scripted& s) {
         s.outcome.status = abi::Status::kRunning;
         s.stopped_by = StoppedBy::kUser;
       },
       End::kStopped},
      {"the server died",
       [](Scripted& s) {
         s.outcome.status = abi::Status::kRunning;
         s.stopped_by = StoppedBy::kServerLost;
         s.ending = {-1, SIGKILL};
       },
       End::kCut},
      {"a schedule that was left",
       [](Scripted& s) { s.outcome.status = abi::Status::kDivergence; },
       End::kCut},
      {"never begun",
       [](Scripted& s) { s.outcome.status = abi::Status::kNotStarted; },
       End::kUnable},
      {"our bug",
       [](Scripted& s) { s.outcome.status = abi::Status::kInternal; },
       End::kUnable},
  };
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.name);
    Scripted scripted = ScriptedRunner::Ended();
    each.change(scripted);
    const Judgement judgement = Judge(scripted);
    EXPECT_EQ(judgement.end, each.end);
    ASSERT_EQ(judgement.failure.has_value(), each.end == End::kFailed);
    if (judgement.failure) {
      EXPECT_EQ(judgement.failure->kind, each.kind);
    }
  }
}

TEST(Oracle, ComparesTheOutput) {
  Scripted scripted = ScriptedRunner::Ended();
  scripted.printed = "one\ntwo\n";
  EXPECT_EQ(Judge(scripted, {.output = "one\ntwo\n"}).end, End::kOk);
  const Judgement judgement = Judge(scripted, {.output = "one\n2\n"});
  ASSERT_TRUE(judgement.failure);
  EXPECT_EQ(judgement.failure->kind, Kind::kOutput);
  EXPECT_EQ(judgement.failure->details[0], "line 2 is 'two' instead of '2'");
}

TEST(Oracle, AsksTheJudge) {
  Scripted scripted = ScriptedRunner::Ended();
  scripted.printed = "42\n";
  const std::string judge = "grep -q 42 \"$FAIRLEAD_STDOUT\"";
  EXPECT_EQ(Judge(scripted, {.judge = judge}).end, End::kOk);
  const Judgement judgement =
      Judge(scripted, {.judge = "echo too late; exit 1"});
  ASSERT_TRUE(judgement.failure);
  EXPECT_EQ(judgement.failure->kind, Kind::kJudge);
  EXPECT_EQ(judgement.failure->cause, "too late");
  EXPECT_EQ(Judge(scripted, {.judge = "no-such-judge"}).end, End::kUnable);
}

TEST(Oracle, BlamesTheClientOnlyIfTheServerIsRight) {
  Scripted scripted;
  scripted.outcome.status = abi::Status::kSignaled;
  scripted.outcome.signal = SIGTERM;
  scripted.ending = {-1, SIGTERM};
  scripted.stopped_by = StoppedBy::kDriver;
  scripted.client = {.ending = {0, 0}, .output = ""};
  EXPECT_EQ(Judge(scripted, {}, abi::kPlanDriven).end, End::kOk);
  scripted.client = {.ending = {2, 0}, .output = "hello\nno answer\n"};
  const Judgement judgement = Judge(scripted, {}, abi::kPlanDriven);
  ASSERT_TRUE(judgement.failure);
  EXPECT_EQ(judgement.failure->kind, Kind::kClient);
  EXPECT_EQ(judgement.failure->details[0], "it said: no answer");
  scripted.outcome.signal = SIGSEGV;
  EXPECT_EQ(Judge(scripted, {}, abi::kPlanDriven).failure->kind, Kind::kCrash);
}

TEST(Oracle, GivesTheSameKeyToFailuresThatLookAlike) {
  Scripted scripted = ScriptedRunner::Ended();
  scripted.ending.exit_code = 3;
  const uint64_t key = Judge(scripted).failure->key;
  EXPECT_EQ(Judge(scripted).failure->key, key);
  scripted.outcome.misuse = abi::Misuse::kBadFree;
  EXPECT_NE(Judge(scripted).failure->key, key);
}

// Exit code 1 with something said, or an abort.
Failure Said(std::string printed, std::string error, int signal = 0) {
  Scripted scripted = ScriptedRunner::Ended();
  scripted.ending.exit_code = 1;
  if (signal != 0) {
    scripted.outcome.status = abi::Status::kSignaled;
    scripted.outcome.signal = scripted.ending.signal = signal;
  }
  scripted.printed = std::move(printed);
  scripted.error = std::move(error);
  return *Judge(scripted, {.sanitized = true}).failure;
}

TEST(Oracle, TellsWrongExitCodesApartByWhatWasSaid) {
  const Failure lost = Said("", "2 orders lost\n");
  EXPECT_EQ(lost.kind, Kind::kExit);
  EXPECT_EQ(lost.said, "2 orders lost");
  EXPECT_EQ(Said("", "3 orders lost\n").key, lost.key);
  EXPECT_NE(Said("", "2 orders doubled\n").key, lost.key);
  // What goes to standard output may differ for many reasons.
  EXPECT_EQ(Said("a\n", "").key, Said("b\n", "").key);
  EXPECT_EQ(Said("a\n", "").details[0], "it printed last: a");
}

TEST(Oracle, NamesTheTestThatFailed) {
  const Failure failure =
      Said("[ RUN      ] Till.Keeps\nshop.cc:9: Failure\nFailed\n", "");
  EXPECT_EQ(failure.kind, Kind::kTest);
  EXPECT_EQ(failure.place.function, "Till.Keeps");
  EXPECT_EQ(failure.place.place.file, "shop.cc");
  EXPECT_NE(
      Said("[ RUN      ] Till.Opens\nshop.cc:9: Failure\nFailed\n", "").key,
      failure.key);
}

TEST(Oracle, TellsAbortsApartByWhatWasSaid) {
  const Failure twice = Said("", "free(): double free detected\n", SIGABRT);
  EXPECT_EQ(twice.kind, Kind::kAbort);
  EXPECT_EQ(twice.said, "free(): double free detected");
  EXPECT_NE(Said("", "malloc(): corrupted top size\n", SIGABRT).key, twice.key);
  EXPECT_EQ(Said("", "free(): double free detected\n", SIGABRT).key, twice.key);
}

TEST(Oracle, KnowsASanitizersReportByItsKindAndPlace) {
  const std::string first =
      "==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x60 at pc "
      "0x1 bp 0x2 sp 0x3\n";
  const Failure failure = Said(
      "",
      first + "READ of size 4 at 0x60 thread T1\n    #0 0x1 in Pop q.c:3:1\n");
  EXPECT_EQ(failure.kind, Kind::kSanitizer);
  EXPECT_EQ(failure.said,
            "heap-use-after-free: READ of size 4 by thread T1 at q.c:3 (Pop)");
  EXPECT_EQ(failure.details[1], "READ of size 4 at 0x60 thread T1");
  EXPECT_NE(Said("", first + "    #0 0x1 in Push q.c:9:1\n").key, failure.key);
}

// A judge that never answers is not waited for, and says nothing.
TEST(Oracle, DoesNotWaitForAJudgeForever) {
  const Judgement judgement =
      Judge(ScriptedRunner::Ended(),
            {.judge = "sleep 1000", .judge_limit = std::chrono::seconds(0)});
  EXPECT_EQ(judgement.end, End::kCut);
  EXPECT_EQ(judgement.reason, "the judge did not answer in time");
  EXPECT_FALSE(judgement.failure);
}

TEST(Oracle, TakesNoAnswerFromAJudgeThatTheUserStopped) {
  AskToStop(SIGINT);
  const Judgement judgement =
      Judge(ScriptedRunner::Ended(), {.judge = "sleep 1000"});
  ForgetStop();
  EXPECT_EQ(judgement.end, End::kStopped);
  EXPECT_FALSE(judgement.failure);
}

// What is behind failures that do not count, one after the other.
TEST(Oracle, TellsTheNextFailureWhereOneDoesNotCount) {
  Scripted scripted = ScriptedRunner::Ended();
  scripted.outcome.misuse = abi::Misuse::kUnlockNotOwner;
  scripted.ending.exit_code = 4;
  scripted.printed = "wrong\n";
  ScriptedRunner runner(1, [&](uint64_t, const Task&) { return scripted; });
  ASSERT_TRUE(runner.Start(0, {}));
  const Finished finished = **runner.Next(std::chrono::milliseconds(0));
  Oracles oracle({.output = "right\n", .judge = "false"});
  for (const Kind kind :
       {Kind::kMisuse, Kind::kExit, Kind::kOutput, Kind::kJudge}) {
    const Judgement judgement = oracle.Judge(finished);
    ASSERT_TRUE(judgement.failure);
    EXPECT_EQ(judgement.failure->kind, kind);
    EXPECT_FALSE(judgement.silent);
    oracle.Silence(judgement.failure->key);
  }
  const Judgement judgement = oracle.Judge(finished);
  EXPECT_TRUE(judgement.silent);
  EXPECT_EQ(judgement.failure->kind, Kind::kMisuse);
}

TEST(Oracle, TellsWhatAMisuseThatDoesNotCountCameTo) {
  struct Case {
    const char* name;
    void (*change)(Scripted&);
    std::optional<Kind> behind;
  };
  constexpr Case kCases[] = {
      {"a crash",
       [](Scripted& s) {
         s.outcome.status = abi::Status::kSignaled;
         s.outcome.signal = s.ending.signal = SIGSEGV;
       },
       Kind::kCrash},
      {"an assertion",
       [](Scripted& s) {
         s.outcome.status = abi::Status::kSignaled;
         s.outcome.signal = s.ending.signal = SIGABRT;
         s.outcome.abort_cause = abi::AbortCause::kAssertion;
       },
       Kind::kAssertion},
      {"the abort that is due to it",
       [](Scripted& s) {
         s.outcome.status = abi::Status::kSignaled;
         s.outcome.signal = s.ending.signal = SIGABRT;
       },
       {}},
      {"nothing more", [](Scripted&) {}, {}},
  };
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.name);
    Scripted scripted = ScriptedRunner::Ended();
    scripted.outcome.misuse = abi::Misuse::kUseAfterFree;
    each.change(scripted);
    ScriptedRunner runner(1, [&](uint64_t, const Task&) { return scripted; });
    ASSERT_TRUE(runner.Start(0, {}));
    const Finished finished = **runner.Next(std::chrono::milliseconds(0));
    Oracles oracle({});
    const Judgement first = oracle.Judge(finished);
    ASSERT_TRUE(first.failure);
    EXPECT_EQ(first.failure->kind, Kind::kUseAfterFree);
    oracle.Silence(first.failure->key);
    const Judgement next = oracle.Judge(finished);
    EXPECT_EQ(next.silent, !each.behind.has_value());
    EXPECT_EQ(next.failure->kind, each.behind.value_or(Kind::kUseAfterFree));
  }
}

TEST(Oracle, ListensForASanitizerOnlyWhereThereIsOne) {
  Scripted scripted = ScriptedRunner::Ended();
  scripted.error = "client.c:7: runtime error: trying again\n";
  EXPECT_EQ(Judge(scripted).end, End::kOk);
  EXPECT_EQ(Judge(scripted, {.sanitized = true}).end, End::kFailed);
}

TEST(SanitizerLine, FindsTheFirstReport) {
  EXPECT_EQ(SanitizerLine("x\n==1==ERROR: AddressSanitizer: heap-use\ny"),
            "==1==ERROR: AddressSanitizer: heap-use");
  EXPECT_EQ(SanitizerLine("a.c:3:5: runtime error: signed overflow"),
            "a.c:3:5: runtime error: signed overflow");
  EXPECT_EQ(SanitizerLine("nothing here"), "");
}

// Finds fault with executions that yield.
class YieldOracle final : public Oracle {
 public:
  class Counter final : public EventObserver {
   public:
    void OnEvent(const trace::Event& event) override {
      num_yields += event.kind == trace::EventKind::kYield;
    }
    uint64_t num_yields = 0;
  };

  std::unique_ptr<EventObserver> Watch() override {
    return std::make_unique<Counter>();
  }
  Opinion Judge(const Evidence& evidence) override {
    if (evidence.watched == nullptr) return {};
    const uint64_t yields = static_cast<Counter&>(*evidence.watched).num_yields;
    if (yields == 0) return {};
    return {
        .failures = {PlainFailure(Kind::kJudge, std::to_string(yields), {})}};
  }
};

std::vector<std::unique_ptr<Oracle>> ListWithYields() {
  std::vector<std::unique_ptr<Oracle>> list;
  list.push_back(MakeOutcomeOracle({}));
  list.push_back(std::make_unique<YieldOracle>());
  return list;
}

// Each execution has an observer of its own, though several are under way.
TEST(Oracle, MaySeeTheEventsOfEachExecution) {
  Oracles oracles = Oracles::Of(ListWithYields());
  ScriptedRunner runner(2, [](uint64_t number, const Task&) {
    Scripted scripted = ScriptedRunner::Ended();
    scripted.events.assign(number == 1 ? 2 : 0, abi::EventKind::kYield);
    return scripted;
  });
  Watched watched[2];
  for (size_t slot = 0; slot < 2; ++slot) {
    oracles.Watch(watched[slot]);
    Task task;
    task.observer = watched[slot].observer();
    EXPECT_NE(watched[slot].plan_flags() & abi::kPlanTrace, 0u);
    ASSERT_TRUE(runner.Start(slot, task));
  }
  for (size_t slot = 0; slot < 2; ++slot) {
    const Finished finished = **runner.Next(std::chrono::milliseconds(0));
    const Judgement judgement =
        oracles.Judge(finished, &watched[finished.slot]);
    EXPECT_EQ(judgement.failure.has_value(), finished.slot == 0);
    if (judgement.failure) EXPECT_EQ(judgement.failure->cause, "2");
    // Where nobody could watch, it has no opinion.
    EXPECT_FALSE(oracles.Judge(finished).failure);
  }
}

TEST(Oracle, CostsNothingWhereNoneGoesByEvents) {
  Oracles oracles(Expectations{});
  Watched watched;
  oracles.Watch(watched);
  EXPECT_EQ(watched.observer(), nullptr);
}

}  // namespace
}  // namespace fairlead::explore
