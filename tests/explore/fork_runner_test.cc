#include <gmock/gmock.h>
#include <signal.h>

#include <fstream>
#include <set>

#include "base/patience.h"
#include "base/subprocess.h"
#include "explore/run/runner.h"
#include "sched/plan.h"

namespace fairlead::explore {
namespace {

using std::chrono::milliseconds;
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

std::string Runtime(const std::string& name) {
  return FAIRLEAD_RUNTIME_PROGRAMS "/" + name;
}

std::unique_ptr<Runner> Forked(const Setting& setting,
                               ForkAt place = ForkAt::kMain) {
  auto runner = MakeForkRunner(setting, place);
  EXPECT_TRUE(runner) << runner.error().Text();
  return runner ? *std::move(runner) : nullptr;
}

std::unique_ptr<Runner> Fresh(const Setting& setting) {
  auto runner = MakeFreshRunner(setting);
  EXPECT_TRUE(runner) << runner.error().Text();
  return *std::move(runner);
}

Task TaskOf(uint64_t seed, uint64_t flags = 0) {
  Task task;
  task.plan.strategy = static_cast<uint32_t>(sched::StrategyId::kRandom);
  task.plan.seed = seed;
  task.plan.flags = abi::kPlanRecord | abi::kPlanQuiet | flags;
  task.plan.max_steps = 100'000;
  task.timeout = std::chrono::seconds(20);
  return task;
}

// Waits for as long as it takes.
Finished NextOf(Runner& runner) {
  while (true) {
    auto next = runner.Next(milliseconds(1000));
    EXPECT_TRUE(next) << next.error().Text();
    if (*next) return **std::move(next);
  }
}

Finished RunOne(Runner& runner, const Task& task) {
  const Status started = runner.Start(0, task);
  EXPECT_TRUE(started) << started.error().Text();
  return NextOf(runner);
}

// What must not depend on how the process came to be.
std::string Told(const Finished& finished) {
  const abi::Outcome& outcome = finished.executed.outcome;
  return fmt::format(
      "status {} exit {} signal {} misuse {} ending {} points {} events {} "
      "digest {:x} schedule {:x} sites {:x} text {} printed {}",
      static_cast<int>(outcome.status), outcome.exit_code, outcome.signal,
      static_cast<int>(outcome.misuse), EndingText(finished.executed.ending),
      outcome.points, outcome.events, outcome.event_digest,
      outcome.schedule_digest, outcome.point_set_digest,
      // Addresses of the program differ from process to process.
      std::string(outcome.text).substr(0, 20), finished.output->Output());
}

class Records final : public RecordObserver {
 public:
  void OnRecords(std::span<const abi::Event> more,
                 const ControlMemory&) override {
    for (const abi::Event& event : more) kinds.push_back(event.kind);
  }
  std::vector<abi::EventKind> kinds;
};

class ForkedAndFresh : public testing::TestWithParam<const char*> {};

TEST_P(ForkedAndFresh, GiveTheSameExecution) {
  const Setting setting = SettingFor({Runtime(GetParam())});
  for (const ForkAt place : {ForkAt::kMain, ForkAt::kStart}) {
    const std::unique_ptr<Runner> forked = Forked(setting, place);
    const std::unique_ptr<Runner> fresh = Fresh(setting);
    // Traced, not traced, traced again: the server sets modes anew in between.
    for (uint64_t seed = 1; seed <= 4; ++seed) {
      Records forked_records;
      Records fresh_records;
      Task task = TaskOf(seed, seed % 2 != 0 ? abi::kPlanTrace : 0);
      task.observer = &forked_records;
      const std::string found = Told(RunOne(*forked, task));
      task.observer = &fresh_records;
      EXPECT_EQ(found, Told(RunOne(*fresh, task))) << "seed " << seed;
      EXPECT_EQ(forked_records.kinds, fresh_records.kinds) << "seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Programs, ForkedAndFresh,
    testing::Values("producer_consumer", "lock_order", "crash",
                    "exit_in_thread", "thread_local_order", "rwlock_modes",
                    "semaphore", "sleepers", "assertion", "cond_timed",
                    "keys_destructors", "static_lock_order", "future_cycle",
                    "cancel_unwind", "main_leaves", "random_numbers",
                    "coordination", "own_handler", "heap_blocks",
                    "instrumented/lost_update", "instrumented/spin_flag",
                    "instrumented/use_after_free", "instrumented/exceptions"));

// Its own start has a time limit like any execution; what comes later is not
// to be ended by it.
TEST(ForkRunner, AServerThatStandsHasNoTimeLimit) {
  const Deadline deadline(std::chrono::steady_clock::now() +
                          std::chrono::hours(1));
  const auto runner = Forked(SettingFor({FAIRLEAD_PROGRAMS "/hello", "3"}));
  const Finished finished = RunOne(*runner, TaskOf(1));
  std::ifstream timers(fmt::format(
      "/proc/{}/timers", finished.executed.memory->page().server.server));
  if (!timers) GTEST_SKIP() << "the kernel does not list timers";
  std::string all;
  for (std::string line; std::getline(timers, line);) {
    // Of timers by the clock; others count processor time.
    if (line.starts_with("ClockID: 1")) all += line;
  }
  EXPECT_EQ(all, "");
}

TEST(ForkRunner, GivesWhatEachExecutionPrints) {
  const auto runner = Forked(SettingFor({FAIRLEAD_PROGRAMS "/hello", "3"}));
  for (int i = 0; i < 3; ++i) {
    const Finished finished = RunOne(*runner, TaskOf(1));
    EXPECT_EQ(finished.executed.outcome.status, abi::Status::kEnded);
    EXPECT_EQ(finished.executed.ending.exit_code, 3);
    EXPECT_EQ(finished.output->Output(), "hello\n");
    EXPECT_EQ(finished.output->Error(), "hello, error\n");
  }
}

TEST(ForkRunner, RewindsStandardInput) {
  Setting setting = SettingFor({FAIRLEAD_PROGRAMS "/hello", "0", "cat"});
  setting.stdin_path = FAIRLEAD_PROGRAMS "/../input.txt";
  const auto runner = Forked(setting);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(RunOne(*runner, TaskOf(1)).output->Output(), "hello\ntyped\n");
  }
}

TEST(ForkRunner, RunsAsManyAtOnceAsThereAreJobs) {
  const auto runner = Forked(SettingFor({FAIRLEAD_PROGRAMS "/hello"}, 2));
  ASSERT_EQ(runner->num_slots(), 2);
  ASSERT_TRUE(runner->Start(0, TaskOf(1)));
  ASSERT_TRUE(runner->Start(1, TaskOf(2)));
  std::set<size_t> slots = {NextOf(*runner).slot, NextOf(*runner).slot};
  EXPECT_THAT(slots, Eq(std::set<size_t>{0, 1}));
}

TEST(ForkRunner, SurvivesACrash) {
  const auto runner = Forked(SettingFor({FAIRLEAD_PROGRAMS "/crash"}));
  for (int i = 0; i < 2; ++i) {
    const Finished finished = RunOne(*runner, TaskOf(1));
    EXPECT_EQ(finished.executed.outcome.status, abi::Status::kSignaled);
    EXPECT_EQ(finished.executed.ending.signal, SIGSEGV);
  }
}

TEST(ForkRunner, EndsAnExecutionThatIsOutOfTime) {
  const auto runner = Forked(SettingFor({FAIRLEAD_PROGRAM_ENDLESS}));
  Task task = TaskOf(1);
  task.timeout = milliseconds(50);
  for (int i = 0; i < 2; ++i) {
    const Finished finished = RunOne(*runner, task);
    EXPECT_EQ(finished.executed.outcome.status, abi::Status::kCut);
    EXPECT_EQ(finished.executed.outcome.cut_reason, abi::CutReason::kTime);
  }
}

TEST(ForkRunner, StopsWhatIsUnderWay) {
  const auto runner = Forked(SettingFor({FAIRLEAD_PROGRAM_ENDLESS}));
  Task task = TaskOf(1);
  ASSERT_TRUE(runner->Start(0, task));
  runner->StopAll();
  EXPECT_EQ(NextOf(*runner).executed.stopped_by, StoppedBy::kUser);
}

// Until the server has made the child, there is none to be killed.
int ChildOf(const Runner& runner, abi::Server& server) {
  int child = 0;
  while ((child = __atomic_load_n(&server.child, __ATOMIC_ACQUIRE)) == 0) {
  }
  EXPECT_EQ(runner.num_slots(), 1);
  return child;
}

TEST(ForkRunner, GoesOnWhenAChildIsKilled) {
  const auto runner = Forked(SettingFor({FAIRLEAD_PROGRAM_ENDLESS}));
  Task brief = TaskOf(1);
  brief.timeout = milliseconds(20);
  const Finished first = RunOne(*runner, brief);
  ASSERT_TRUE(runner->Start(0, TaskOf(1)));
  abi::Server& server = first.executed.memory->page().server;
  kill(ChildOf(*runner, server), SIGKILL);
  const Finished killed = NextOf(*runner);
  EXPECT_EQ(killed.executed.outcome.status, abi::Status::kRunning);
  EXPECT_EQ(killed.executed.ending.signal, SIGKILL);
  EXPECT_EQ(killed.executed.stopped_by, StoppedBy::kNobody);
  EXPECT_EQ(RunOne(*runner, brief).executed.outcome.status, abi::Status::kCut);
}

// Ended processes that nobody has reaped do not run.
bool Runs(int pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string number, name, state;
  return file >> number >> name >> state && state != "Z";
}

TEST(ForkRunner, StartsAnotherServerWhenItsOwnIsKilled) {
  const auto runner = Forked(SettingFor({FAIRLEAD_PROGRAM_ENDLESS}));
  Task brief = TaskOf(1);
  brief.timeout = milliseconds(20);
  const Finished first = RunOne(*runner, brief);
  ASSERT_TRUE(runner->Start(0, TaskOf(1)));
  abi::Server& server = first.executed.memory->page().server;
  const int child = ChildOf(*runner, server);
  kill(server.server, SIGKILL);
  EXPECT_EQ(NextOf(*runner).executed.stopped_by, StoppedBy::kServerLost);
  EXPECT_FALSE(Runs(child)) << "the child outlived its server";
  EXPECT_EQ(RunOne(*runner, brief).executed.outcome.status, abi::Status::kCut);
}

}  // namespace
}  // namespace fairlead::explore
