#include "explore/run/runner.h"

#include <gmock/gmock.h>

#include <set>

#include "base/subprocess.h"
#include "explore/aim/target_places.h"
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

// Ids of all accesses to memory but those through atomics.
std::vector<uint64_t> PlainAccesses(const std::string& path) {
  const Result<trace::SiteTable> table = SitesOf(path);
  EXPECT_TRUE(table) << table.error().Text();
  std::set<uint64_t> ids;
  for (const trace::SiteName& site : table->sites) {
    if (site.kind == abi::SiteKind::kLoad ||
        site.kind == abi::SiteKind::kStore) {
      ids.insert(site.id);
    }
  }
  return {ids.begin(), ids.end()};
}

class Listener final : public RecordObserver {
  void OnRecords(std::span<const abi::Event>, const ControlMemory&) override {}
};

// A replay is not traced, a profile is: both must go the same way, also where
// functions have no points but only tell.
TEST(FreshRunner, TellingEventsChangesNothing) {
  const std::string path =
      FAIRLEAD_RUNTIME_PROGRAMS "/instrumented/polls_and_works";
  auto runner = MakeFreshRunner(SettingFor({path}));
  ASSERT_TRUE(runner);
  const std::vector<uint64_t> told = PlainAccesses(path);
  ASSERT_FALSE(told.empty());
  Listener listener;
  for (uint64_t seed = 1; seed <= 16; ++seed) {
    Task task = OneExecution();
    task.plan.strategy = static_cast<uint32_t>(sched::StrategyId::kRandom);
    task.plan.seed = seed;
    task.follow.ordered_sites = told;
    ASSERT_TRUE((*runner)->Start(0, task));
    const abi::Outcome silent = NextOf(**runner).executed.outcome;
    task.plan.flags |= abi::kPlanTrace;
    task.observer = &listener;
    ASSERT_TRUE((*runner)->Start(0, task));
    const abi::Outcome traced = NextOf(**runner).executed.outcome;
    EXPECT_EQ(silent.schedule_digest, traced.schedule_digest) << seed;
    EXPECT_EQ(silent.points, traced.points) << seed;
  }
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
