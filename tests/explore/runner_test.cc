#include "explore/runner.h"

#include <gmock/gmock.h>

#include <set>

#include "base/subprocess.h"
#include "sched/plan.h"

namespace fairlead::explore {
namespace {

using testing::Eq;

Setting SettingFor(std::vector<std::string> argv, size_t jobs = 1) {
  const Result<Program> program = InspectProgram(argv[0]);
  EXPECT_TRUE(program) << program.error().Text();
  return {.program = *program,
          .argv = std::move(argv),
          .environment = OwnEnvironment(),
          .runtime = FAIRLEAD_RUNTIME,
          .stdin_path = "",
          .jobs = jobs};
}

Task OneExecution() {
  Task task;
  task.plan.strategy = static_cast<uint32_t>(sched::StrategyId::kFirst);
  task.plan.flags = abi::kPlanRecord | abi::kPlanQuiet;
  return task;
}

// Waits for as long as it takes.
Finished NextOf(Runner& runner) {
  while (true) {
    auto next = runner.Next(std::chrono::milliseconds(1000));
    EXPECT_TRUE(next) << next.error().Text();
    if (*next) return **std::move(next);
  }
}

TEST(FreshRunner, GivesOutcomeAndOutputOfEachExecution) {
  auto runner = MakeFreshRunner(SettingFor({FAIRLEAD_PROGRAMS "/hello", "3"}));
  ASSERT_TRUE(runner);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE((*runner)->Start(0, OneExecution()));
    const Finished finished = NextOf(**runner);
    EXPECT_EQ(finished.executed.outcome.status, abi::Status::kEnded);
    EXPECT_EQ(finished.executed.ending.exit_code, 3);
    EXPECT_EQ(finished.output->Output(), "hello\n");
    EXPECT_EQ(finished.output->Error(), "hello, error\n");
  }
}

TEST(FreshRunner, HasAsManySlotsAsJobs) {
  auto runner = MakeFreshRunner(SettingFor({FAIRLEAD_PROGRAMS "/hello"}, 3));
  ASSERT_TRUE(runner);
  ASSERT_EQ((*runner)->num_slots(), 3);
  for (size_t i = 0; i < 3; ++i) {
    ASSERT_TRUE((*runner)->Start(i, OneExecution()));
  }
  std::set<size_t> slots;
  for (int i = 0; i < 3; ++i) slots.insert(NextOf(**runner).slot);
  EXPECT_THAT(slots, Eq(std::set<size_t>{0, 1, 2}));
}

TEST(FreshRunner, StopsWhatIsUnderWay) {
  auto runner = MakeFreshRunner(SettingFor({FAIRLEAD_PROGRAMS "/forever"}));
  ASSERT_TRUE(runner);
  ASSERT_TRUE((*runner)->Start(0, OneExecution()));
  (*runner)->StopAll();
  EXPECT_EQ(NextOf(**runner).executed.stopped_by, StoppedBy::kUser);
}

TEST(FreshRunner, ReadsStandardInputAnewEachTime) {
  Setting setting = SettingFor({FAIRLEAD_PROGRAMS "/hello", "0", "cat"});
  setting.stdin_path = FAIRLEAD_PROGRAMS "/../input.txt";
  auto runner = MakeFreshRunner(setting);
  ASSERT_TRUE(runner);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE((*runner)->Start(0, OneExecution()));
    EXPECT_EQ(NextOf(**runner).output->Output(), "hello\ntyped\n");
  }
}

}  // namespace
}  // namespace fairlead::explore
