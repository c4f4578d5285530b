// Closures that are repeated in one process, and what becomes of failures.

#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include "base/subprocess.h"
#include "explore/run/runner.h"
#include "sched/plan.h"

namespace fairlead::explore {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class InProcess : public testing::Test {
 protected:
  // Runs the closure of that name once, or many times with kPlanExplore.
  Finished Run(const std::string& name, const abi::Plan& plan) {
    return RunProgram({FAIRLEAD_PROGRAM_EXPLORED, name}, plan);
  }

  Finished RunProgram(const std::vector<std::string>& argv,
                      const abi::Plan& plan) {
    const Result<Program> program = InspectProgram(argv[0]);
    EXPECT_TRUE(program) << program.error().Text();
    auto runner = MakeFreshRunner({.program = *program,
                                   .argv = argv,
                                   .environment = OwnEnvironment(),
                                   .runtime = FAIRLEAD_RUNTIME,
                                   .stdin_path = ""});
    EXPECT_TRUE(runner);
    runners_.push_back(*std::move(runner));
    Task task;
    task.plan = plan;
    task.plan.strategy = static_cast<uint32_t>(sched::StrategyId::kRandom);
    task.timeout = std::chrono::seconds(60);
    EXPECT_TRUE(runners_.back()->Start(0, task));
    while (true) {
      auto next = runners_.back()->Next(std::chrono::milliseconds(1000));
      EXPECT_TRUE(next) << next.error().Text();
      if (*next) return **std::move(next);
    }
  }

  // The plan by which a fresh process runs the iteration that failed alone.
  static abi::Plan Again(const abi::Outcome& outcome) {
    abi::Plan plan = {};
    plan.flags = abi::kPlanQuiet | abi::kPlanRecord;
    plan.seed = 99;  // decides nothing of interest
    plan.explore_call = outcome.explore_call;
    plan.explore_seed = outcome.explore_seed;
    return plan;
  }

  static abi::Plan Many(uint64_t seed = 1) {
    abi::Plan plan = {};
    plan.flags = abi::kPlanQuiet | abi::kPlanExplore;
    plan.seed = seed;
    plan.explore_iterations = 2000;
    return plan;
  }

  std::vector<std::unique_ptr<Runner>> runners_;
};

TEST_F(InProcess, RunsAClosureUnderManySchedules) {
  const Finished finished = Run("right", Many());
  EXPECT_EQ(finished.executed.ending.exit_code, 0);
  EXPECT_EQ(finished.executed.outcome.explored, 2000);
  EXPECT_THAT(finished.output->Error(), IsEmpty());
}

TEST_F(InProcess, RunsItOnceUnlessThePlanSaysSo) {
  abi::Plan plan = {};
  plan.seed = 1;
  EXPECT_EQ(Run("right", plan).executed.outcome.explored, 1);
}

TEST_F(InProcess, EndsWithTheFirstClosureThatReturnsFalse) {
  const Finished finished = Run("false", Many());
  const abi::Outcome& outcome = finished.executed.outcome;
  EXPECT_EQ(outcome.misuse, abi::Misuse::kClosureFailed) << outcome.text;
  EXPECT_THAT(outcome.text, HasSubstr("racy failed"));
  EXPECT_EQ(outcome.explore_call, 2);
  EXPECT_EQ(finished.executed.ending.exit_code, 1);
  EXPECT_LT(outcome.explored, 2000);
  EXPECT_GT(outcome.explored, 50);
}

TEST_F(InProcess, RepeatsAFailureInAFreshProcess) {
  for (const char* name : {"false", "assert", "throw", "deadlock"}) {
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      const abi::Outcome before = Run(name, Many(seed)).executed.outcome;
      const abi::Outcome after = Run(name, Again(before)).executed.outcome;
      EXPECT_EQ(before.status, after.status) << name << " seed " << seed;
      EXPECT_EQ(before.misuse, after.misuse) << name << " seed " << seed;
      EXPECT_EQ(before.signal, after.signal) << name << " seed " << seed;
      EXPECT_EQ(before.explore_seed, after.explore_seed);
      EXPECT_LE(after.explored, 2);
    }
  }
}

TEST_F(InProcess, TellsTheIterationOfACrashAndOfADeadlock) {
  const Finished crash = Run("assert", Many());
  EXPECT_EQ(crash.executed.ending.signal, SIGABRT);
  EXPECT_NE(crash.executed.outcome.explore_seed, 0);
  const Finished deadlock = Run("deadlock", Many());
  EXPECT_EQ(deadlock.executed.outcome.status, abi::Status::kDeadlock);
}

TEST_F(InProcess, LetsAnExceptionPass) {
  const Finished finished = Run("throw", Many());
  EXPECT_EQ(finished.executed.ending.exit_code, 3);
  EXPECT_THAT(finished.executed.outcome.text, HasSubstr("threw an exception"));
}

TEST_F(InProcess, SaysWhenThreadsAreLeftBehind) {
  abi::Plan plan = Many();
  plan.flags = abi::kPlanExplore;
  const Finished finished = Run("detached", plan);
  EXPECT_THAT(finished.output->Error(), HasSubstr("join them all"));
  EXPECT_LT(finished.executed.outcome.explored, 2000);
}

TEST_F(InProcess, FindsTheBugOfTheGoogleTestExample) {
  const Finished finished =
      RunProgram({FAIRLEAD_EXAMPLES "/explore_gtest"}, Many());
  EXPECT_EQ(finished.executed.outcome.misuse, abi::Misuse::kClosureFailed);
  EXPECT_EQ(finished.executed.ending.exit_code, 1);
  const Finished again = RunProgram({FAIRLEAD_EXAMPLES "/explore_gtest"},
                                    Again(finished.executed.outcome));
  EXPECT_EQ(again.executed.outcome.misuse, abi::Misuse::kClosureFailed);
}

TEST_F(InProcess, FindsNothingInTheCatch2Example) {
  if (access(FAIRLEAD_EXAMPLES "/explore_catch2", X_OK) != 0) {
    GTEST_SKIP() << "Catch2 is not installed";
  }
  const Finished finished =
      RunProgram({FAIRLEAD_EXAMPLES "/explore_catch2"}, Many());
  EXPECT_EQ(finished.executed.outcome.misuse, abi::Misuse::kNone);
  EXPECT_EQ(finished.executed.ending.exit_code, 0);
  EXPECT_EQ(finished.executed.outcome.explored, 2000);
}

TEST(Plainly, AClosureRunsOnceAndSaysHowToExploreIt) {
  const Result<Capture> capture =
      RunToEnd({.argv = {FAIRLEAD_PROGRAM_EXPLORED, "right"},
                .environment = OwnEnvironment()});
  ASSERT_TRUE(capture);
  EXPECT_EQ(capture->ending.exit_code, 0);
  EXPECT_THAT(capture->err, HasSubstr("fairlead test -- PROGRAM"));
}

}  // namespace
}  // namespace fairlead::explore
