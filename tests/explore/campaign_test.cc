// The loop of a campaign, with executions that are made up.

#include "explore/campaign/campaign.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "explore/plan/steady_planner.h"
#include "scripted_runner.h"

namespace fairlead::explore {
namespace {

using sched::StrategyId;

class Listener final : public CampaignObserver {
 public:
  Status OnProgress(const Progress& progress) override {
    last = progress;
    if (full_after != 0 && progress.executions == full_after) {
      return Error(ErrorCode::kEnvironment).Say("the disk is full");
    }
    return {};
  }
  Result<bool> OnFinding(const Found&) override { return true; }

  Progress last;
  uint64_t full_after = 0;
};

class CampaignTest : public testing::Test {
 protected:
  CampaignTest() { options_.max_executions = 20; }

  CampaignResult Run(ScriptedRunner& runner) {
    const InterruptWatch interrupts;
    return RunCampaign(options_, runner, planner_, listener_, interrupts);
  }
  CampaignResult Run(const ScriptedRunner::Script& script) {
    ScriptedRunner runner(1, script);
    return Run(runner);
  }

  static Scripted Right(uint64_t, const Task&) {
    return ScriptedRunner::Ended();
  }

  CampaignOptions options_;
  SteadyPlanner planner_{DefaultSpec(StrategyId::kRandom), 1};
  Listener listener_;
};

TEST_F(CampaignTest, RunsAsManyAsItMay) {
  const CampaignResult result = Run(Right);
  EXPECT_EQ(result.ending, CampaignEnding::kBudget);
  EXPECT_EQ(result.progress.executions, 20u);
  EXPECT_EQ(listener_.last.executions, 20u);
  EXPECT_TRUE(result.findings.empty());
}

TEST_F(CampaignTest, FillsAllSlots) {
  ScriptedRunner runner(4, Right);
  EXPECT_EQ(Run(runner).progress.executions, 20u);
  EXPECT_EQ(runner.most_at_once, 4u);
}

TEST_F(CampaignTest, BeginsWithAReferenceThatTellsWhatIsShared) {
  std::vector<uint32_t> strategies;
  std::vector<uint64_t> flags;
  options_.max_executions = 70;
  Run([&](uint64_t, const Task& task) {
    strategies.push_back(task.plan.strategy);
    flags.push_back(task.plan.flags);
    return ScriptedRunner::Ended();
  });
  EXPECT_EQ(strategies[0], static_cast<uint32_t>(StrategyId::kFirst));
  EXPECT_NE(flags[0] & abi::kPlanTrace, 0u);
  EXPECT_EQ(strategies[1], static_cast<uint32_t>(StrategyId::kRandom));
  EXPECT_NE(flags[1] & abi::kPlanTrace, 0u);
  EXPECT_EQ(flags[1] & abi::kPlanAllPoints, 0u);
  EXPECT_EQ(flags[65] & abi::kPlanTrace, 0u);
}

TEST_F(CampaignTest, CountsWhatWasCutShortByReason) {
  const CampaignResult result = Run([](uint64_t number, const Task&) {
    Scripted scripted = ScriptedRunner::Ended();
    if (number % 4 != 0) return scripted;
    scripted.outcome.status = abi::Status::kCut;
    scripted.outcome.cut_reason = abi::CutReason::kSteps;
    return scripted;
  });
  EXPECT_EQ(result.progress.cut, 5u);
  EXPECT_EQ(result.cuts.at("too many steps").times, 5u);
  EXPECT_EQ(result.progress.failed, 0u);
}

TEST_F(CampaignTest, EndsWhenWhatHappensCannotBeKept) {
  listener_.full_after = 7;
  const CampaignResult result = Run(Right);
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->sentence(), "the disk is full");
  EXPECT_EQ(result.progress.executions, 7u);
}

TEST_F(CampaignTest, EndsWhenNoExecutionIsPossible) {
  const CampaignResult result = Run([](uint64_t, const Task&) {
    Scripted scripted;
    scripted.outcome.status = abi::Status::kNotStarted;
    scripted.ending.exit_code = 127;
    return scripted;
  });
  EXPECT_TRUE(result.error);
  EXPECT_EQ(result.progress.executions, 0u);
}

TEST_F(CampaignTest, StopsWhenTheUserDoes) {
  const InterruptWatch interrupts;
  ScriptedRunner runner(2, [](uint64_t number, const Task&) {
    if (number == 6) raise(SIGINT);
    return ScriptedRunner::Ended();
  });
  const CampaignResult result =
      RunCampaign(options_, runner, planner_, listener_, interrupts);
  EXPECT_EQ(result.ending, CampaignEnding::kInterrupted);
  EXPECT_LT(result.progress.executions, 7u);
}

// References are executions like others: a program that always fails is not run
// once more than allowed to find that out.
TEST_F(CampaignTest, KeepsItsBudgetWhateverFails) {
  for (const uint64_t most : {1, 2, 3, 7, 9}) {
    SCOPED_TRACE(most);
    options_.max_executions = most;
    options_.repeats = 0;
    ScriptedRunner runner(1, [](uint64_t, const Task&) {
      Scripted scripted = ScriptedRunner::Ended();
      scripted.ending.exit_code = 1;
      return scripted;
    });
    const CampaignResult result = Run(runner);
    EXPECT_LE(runner.num_started, most);
    EXPECT_EQ(result.progress.executions, runner.num_started);
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].finding.always, most >= 7);
  }
}

TEST_F(CampaignTest, KeepsItsBudgetForReferencesOfTheOutput) {
  options_.max_executions = 4;
  options_.expectations.same_output = true;
  ScriptedRunner runner(1, Right);
  EXPECT_EQ(Run(runner).progress.executions, 4u);
  EXPECT_EQ(runner.num_started, 4u);
}

// One misuse is suppressed; in every third execution the program also ends with
// the wrong exit code.
TEST_F(CampaignTest, SeesWhatIsBehindAFailureThatDoesNotCount) {
  class Suppressing final : public CampaignObserver {
   public:
    Status OnProgress(const Progress&) override { return {}; }
    Result<bool> OnFinding(const Found& found) override {
      return found.finding.kind != finding::Kind::kMisuse;
    }
  } suppressing;
  options_.repeats = 0;
  ScriptedRunner runner(1, [](uint64_t number, const Task&) {
    Scripted scripted = ScriptedRunner::Ended();
    scripted.outcome.misuse = abi::Misuse::kUnlockNotOwner;
    if (number % 3 == 0) scripted.ending.exit_code = 2;
    return scripted;
  });
  const InterruptWatch interrupts;
  const CampaignResult result =
      RunCampaign(options_, runner, planner_, suppressing, interrupts);
  EXPECT_EQ(result.ending, CampaignEnding::kFound);
  EXPECT_EQ(result.progress.executions, 3u);
  ASSERT_GE(result.findings.size(), 2u);
  EXPECT_EQ(result.findings.back().finding.kind, finding::Kind::kExit);
}

TEST_F(CampaignTest, EndsWhereThereIsNothingToExplore) {
  options_.max_executions = 1000;
  const CampaignResult result = Run([](uint64_t, const Task&) {
    Scripted scripted = ScriptedRunner::Ended();
    scripted.outcome.num_threads = 1;
    return scripted;
  });
  EXPECT_EQ(result.ending, CampaignEnding::kNothing);
  EXPECT_LT(result.progress.executions, 300u);
}

// Signals give choices to one thread, too.
TEST_F(CampaignTest, GoesOnWithOneThreadThatHasChoices) {
  options_.max_executions = 400;
  const CampaignResult result = Run([](uint64_t number, const Task&) {
    Scripted scripted = ScriptedRunner::Ended();
    scripted.outcome.num_threads = 1;
    scripted.outcome.steps = number == 10 ? 1 : 0;
    return scripted;
  });
  EXPECT_EQ(result.progress.executions, 400u);
}

TEST_F(CampaignTest, RepeatsClosuresOfAProgramThatExplores) {
  options_.max_executions = 5000;
  uint64_t asked = 0;
  const CampaignResult result = Run([&](uint64_t, const Task& task) {
    Scripted scripted = ScriptedRunner::Ended();
    const bool batch = (task.plan.flags & abi::kPlanExplore) != 0;
    scripted.outcome.explored = batch ? task.plan.explore_iterations : 1;
    scripted.outcome.explore_steps = 100;
    scripted.outcome.explore_more = 1;
    if (batch) asked += task.plan.explore_iterations;
    return scripted;
  });
  EXPECT_EQ(result.progress.executions, 5000u);
  EXPECT_EQ(result.num_in_process, asked);
  EXPECT_GT(asked, 4900u);
}

TEST_F(CampaignTest, EndsWhenThePlannerHasNothingLeft) {
  class Few final : public Planner {
   public:
    std::optional<Planned> Next() override {
      if (++number > 3) return {};
      return Planned();
    }
    void Learn(const Planned&, const Observed&) override {}
    int number = 0;
  };
  Few few;
  ScriptedRunner runner(1, Right);
  const InterruptWatch interrupts;
  const CampaignResult result =
      RunCampaign(options_, runner, few, listener_, interrupts);
  EXPECT_EQ(result.ending, CampaignEnding::kExhausted);
  EXPECT_EQ(result.progress.executions, 4u);
}

}  // namespace
}  // namespace fairlead::explore
