#include "explore/campaign/choose_runner.h"

#include <gmock/gmock.h>

#include "base/subprocess.h"
#include "sched/plan.h"

namespace fairlead::explore {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

ChosenRunner Choose(const std::string& path, ForkChoice wanted) {
  const Result<Program> program = InspectProgram(path);
  EXPECT_TRUE(program) << program.error().Text();
  const Setting setting = {.program = *program,
                           .argv = {path},
                           .environment = OwnEnvironment(),
                           .runtime = FAIRLEAD_RUNTIME,
                           .stdin_path = "",
                           .jobs = 1};
  Task trial;
  trial.plan.strategy = static_cast<uint32_t>(sched::StrategyId::kRandom);
  trial.plan.flags = abi::kPlanRecord | abi::kPlanQuiet;
  Result<ChosenRunner> chosen = ChooseRunner(setting, wanted, trial);
  EXPECT_TRUE(chosen) << chosen.error().Text();
  return *std::move(chosen);
}

TEST(ChooseRunner, ForksAtMainWhereThatMakesNoDifference) {
  const ChosenRunner chosen =
      Choose(FAIRLEAD_PROGRAMS "/hello", ForkChoice::kMain);
  EXPECT_EQ(chosen.runner->name(), "fork server");
  EXPECT_THAT(chosen.reasons, IsEmpty());
}

TEST(ChooseRunner, NamesWhatForkingChanges) {
  const ChosenRunner chosen =
      Choose(FAIRLEAD_PROGRAM_FORKED, ForkChoice::kMain);
  EXPECT_EQ(chosen.runner->name(), "fresh processes");
  EXPECT_THAT(chosen.reasons, Contains(HasSubstr("lock")));
}

TEST(ChooseRunner, ForksAtTheStartIfAsked) {
  const ChosenRunner chosen =
      Choose(FAIRLEAD_PROGRAM_FORKED, ForkChoice::kStart);
  EXPECT_EQ(chosen.runner->name(), "fork server at the start");
  EXPECT_THAT(chosen.reasons, IsEmpty());
}

TEST(ChooseRunner, ForksAtTheStartWhereConstructorsLeaveThreads) {
  const ChosenRunner chosen =
      Choose(FAIRLEAD_PROGRAM_EARLY_THREADS, ForkChoice::kMain);
  EXPECT_EQ(chosen.runner->name(), "fork server at the start");
  EXPECT_THAT(chosen.reasons,
              Contains(HasSubstr("it has threads ahead of main")));
}

TEST(ChooseRunner, UsesFreshProcessesIfAsked) {
  const ChosenRunner chosen =
      Choose(FAIRLEAD_PROGRAMS "/hello", ForkChoice::kNever);
  EXPECT_EQ(chosen.runner->name(), "fresh processes");
}

}  // namespace
}  // namespace fairlead::explore
