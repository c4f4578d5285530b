// What the runtime promises to the tool that starts programs: when it acts and
// when it keeps out, that no event is lost, and how schedules are followed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>
#include <tuple>

#include <algorithm>
#include <cmath>
#include <string>

#include "lab.h"

namespace fairlead::lab {
namespace {

using ::testing::HasSubstr;

Setting For(const std::string& program, uint64_t seed = 1) {
  Setting setting;
  setting.library = RUNTIME_LIBRARY;
  setting.command = {std::string(PROGRAMS "/") + program};
  setting.carrier = abi::CarrierId::kFiber;
  setting.seed = seed;
  setting.discard_output = true;
  return setting;
}

// A process that has ended, and whose number nobody has taken yet.
uint32_t DeadPid() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return static_cast<uint32_t>(child);
}

uint64_t NumExtensions(const std::vector<abi::Event>& events) {
  return static_cast<uint64_t>(
      std::ranges::count_if(events, [](const abi::Event& event) {
        return static_cast<uint8_t>(event.kind) >= 240;
      }));
}

TEST(Runtime, CarriesWithFibersWhereItCan) {
  EXPECT_EQ(Execute(For("mutex_counter")).outcome.carrier,
            abi::CarrierId::kFiber);
}

TEST(Runtime, KeepsOutOfOtherExecutables) {
  Setting setting = For("mutex_counter");
  setting.planned_for = "/bin/true";
  const lab::Run run = Execute(setting);
  EXPECT_EQ(run.outcome.status, abi::Status::kNotStarted);
  EXPECT_EQ(run.wait_status, 0);
}

TEST(Runtime, TakesItsVariablesOutOfTheEnvironment) {
  // The program exits with 1 if it finds one of them.
  EXPECT_EQ(Execute(For("environment")).Verdict(), "ended(0)");
}

TEST(Runtime, WaitsForRoomAndLosesNoEvent) {
  Setting setting = For("producer_consumer");
  setting.flags |= abi::kPlanTrace;
  setting.ring_capacity = 128;
  const lab::Run run = Execute(setting);
  EXPECT_EQ(run.Verdict(), "ended(0)");
  EXPECT_EQ(run.events.size() - NumExtensions(run.events), run.outcome.events);
  EXPECT_GT(run.outcome.events, 128u);
}

TEST(Runtime, EndsWhenItsReaderIsGone) {
  Setting setting = For("producer_consumer");
  setting.flags |= abi::kPlanTrace;
  setting.ring_capacity = 128;
  setting.drain = false;
  setting.reader_pid = DeadPid();
  const lab::Run run = Execute(setting);
  ASSERT_TRUE(WIFEXITED(run.wait_status));
  EXPECT_EQ(WEXITSTATUS(run.wait_status), abi::kStoppedExitCode);
}

TEST(Runtime, MarksEventsThatHaveExtensions) {
  Setting setting = For("producer_consumer");
  setting.flags |= abi::kPlanTrace;
  const lab::Run run = Execute(setting);
  bool expected = false;
  for (const abi::Event& event : run.events) {
    EXPECT_EQ(static_cast<uint8_t>(event.kind) >= 240, expected);
    expected = (event.flags & abi::kFlagExtended) != 0;
  }
  EXPECT_FALSE(expected);
}

TEST(Replay, StopsWhereTheScheduleCannotBeFollowed) {
  Setting setting = For("mutex_counter", 3);
  setting.choices = Execute(setting).choices;
  ASSERT_GT(setting.choices.size(), 4u);
  setting.choices[3].next = static_cast<abi::Tid>(77);
  setting.flags |= abi::kPlanFollow;
  const lab::Run run = Execute(setting);
  EXPECT_EQ(run.Verdict(), "divergence");
  EXPECT_EQ(run.outcome.divergence.choice, 3u);
  EXPECT_THAT(run.outcome.text, HasSubstr("choice 4 of the schedule"));
}

TEST(Replay, NoticesThatTheExecutionEndedBeforeTheSchedule) {
  Setting setting = For("mutex_counter", 3);
  setting.choices = Execute(setting).choices;
  abi::ChoiceRecord beyond = setting.choices.back();
  beyond.count += 1000;
  setting.choices.push_back(beyond);
  setting.flags |= abi::kPlanFollow;
  const lab::Run run = Execute(setting);
  EXPECT_EQ(run.Verdict(), "divergence");
  EXPECT_THAT(run.outcome.text, HasSubstr("ended before the schedule"));
}

TEST(Replay, RepeatsLostUpdatesOneHundredTimes) {
  Setting setting = For("instrumented/lost_update");
  lab::Run lost;
  for (setting.seed = 1; lost.Verdict() != "ended(1)"; ++setting.seed) {
    ASSERT_LT(setting.seed, 64u);
    lost = Execute(setting);
  }
  setting.choices = lost.choices;
  setting.flags |= abi::kPlanFollow;
  for (int i = 0; i < 100; ++i) {
    const lab::Run again = Execute(setting);
    ASSERT_EQ(again.Verdict(), "ended(1)");
    ASSERT_EQ(again.outcome.event_digest, lost.outcome.event_digest);
    ASSERT_EQ(again.outcome.schedule_digest, lost.outcome.schedule_digest);
  }
}

// What a dead process with the same id has left in /dev/shm, see
// runtime/company/openmp.h.
TEST(OpenMp, AFileThatAnotherProcessLeftChangesNothing) {
  Setting setting = For("openmp/lost_update");
  const std::string program = setting.command[0];
  setting.planned_for = program;
  setting.command = {"/bin/sh", "-c", "exec \"$0\"", program};
  const lab::Run clean = Execute(setting);
  setting.command[2] =
      "printf 0x10-cafe0001-libomp.so.5 > "
      "/dev/shm/__KMP_REGISTERED_LIB_$$_$(id -u) && exec \"$0\"";
  const lab::Run littered = Execute(setting);
  EXPECT_EQ(littered.Verdict(), clean.Verdict());
  EXPECT_EQ(littered.outcome.schedule_digest, clean.outcome.schedule_digest);
}

TEST(Prefix, GoesOnWithTheStrategyBehindTheSchedule) {
  Setting setting = For("mutex_counter", 3);
  const lab::Run whole = Execute(setting);
  setting.choices.assign(whole.choices.begin(), whole.choices.begin() + 5);
  setting.flags |= abi::kPlanPrefix;
  setting.seed = 99;
  const lab::Run run = Execute(setting);
  EXPECT_EQ(run.Verdict(), "ended(0)");
  ASSERT_GE(run.choices.size(), 5u);
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(run.choices[i].next, whole.choices[i].next);
    EXPECT_EQ(run.choices[i].count, whole.choices[i].count);
  }
  EXPECT_NE(run.outcome.schedule_digest, whole.outcome.schedule_digest);
}

TEST(RandomStrategy, GivesBothOrdersOfARacingPairEquallyOften) {
  // Fair coin, 300 seeds: standard deviation 8.7, so that 150 +- 45 (more than
  // five of them) fails with probability below 10^-6; the seeds are fixed.
  Setting setting = For("instrumented/racing_pair");
  int first = 0;
  for (setting.seed = 1; setting.seed <= 300; ++setting.seed) {
    first += Execute(setting).outcome.exit_code == 1;
  }
  EXPECT_LT(std::abs(first - 150), 45);
}

// Accesses among the events of `run` that have all of `flags`.
int64_t NumAccesses(const lab::Run& run, uint16_t flags = 0) {
  return std::ranges::count_if(run.events, [&](const abi::Event& event) {
    return static_cast<uint8_t>(event.kind) < 8 &&
           (event.flags & flags) == flags;
  });
}

TEST(Sites, IdleOnesAreNoPoints) {
  Setting setting = For("instrumented/lost_update");
  setting.flags |= abi::kPlanTrace;
  const lab::Run all = Execute(setting);
  // Ids of all sites, without reading the tables: idle every id there is.
  Setting idle = setting;
  idle.idle_sites = all.site_ids;
  std::ranges::sort(idle.idle_sites);
  const lab::Run none = Execute(idle);
  EXPECT_GT(NumAccesses(all), 0);
  EXPECT_EQ(NumAccesses(none), 0);
  EXPECT_LT(none.outcome.points, all.outcome.points);
}

TEST(Sites, OrderedOnesAreToldAndNoPoints) {
  Setting setting = For("instrumented/lost_update");
  setting.flags |= abi::kPlanTrace;
  const lab::Run all = Execute(setting);
  Setting ordered = setting;
  ordered.ordered_sites = all.site_ids;
  std::ranges::sort(ordered.ordered_sites);
  const lab::Run told = Execute(ordered);
  EXPECT_EQ(NumAccesses(told), NumAccesses(all));
  EXPECT_GT(NumAccesses(all, abi::kFlagPoint), 0);
  EXPECT_EQ(NumAccesses(told, abi::kFlagPoint), 0);
  // So the set of points is the same whether anybody is told or not.
  EXPECT_NE(told.outcome.point_set_digest, all.outcome.point_set_digest);
  ordered.flags &= ~uint64_t{abi::kPlanTrace};
  const lab::Run untold = Execute(ordered);
  EXPECT_EQ(told.outcome.point_set_digest, untold.outcome.point_set_digest);
}

TEST(Events, ArePlainOrToldByHooksAndTheSame) {
  for (const char* name :
       {"instrumented/lost_update", "instrumented/exceptions",
        "instrumented/annotations"}) {
    Setting setting = For(name);
    setting.flags |= abi::kPlanTrace;
    const lab::Run plain = Execute(setting);
    setting.flags |= abi::kPlanFeatures;  // leaves no room for plain ones
    const lab::Run hooked = Execute(setting);
    ASSERT_EQ(plain.events.size(), hooked.events.size()) << name;
    EXPECT_EQ(plain.outcome.events, hooked.outcome.events) << name;
    EXPECT_EQ(plain.outcome.event_digest, hooked.outcome.event_digest) << name;
    for (size_t i = 0; i < plain.events.size(); ++i) {
      const abi::Event &a = plain.events[i], &b = hooked.events[i];
      const auto told = [](const abi::Event& event) {
        return std::tuple(event.kind, event.flags, event.size, event.thread,
                          event.site, event.node, event.instructions);
      };
      EXPECT_EQ(told(a), told(b)) << name << ", event " << i;
    }
  }
}

TEST(Events, HaveNoDigestWhereNobodyAsksForOne) {
  Setting setting = For("instrumented/lost_update");
  setting.flags |= abi::kPlanTrace | abi::kPlanNoDigest;
  EXPECT_EQ(Execute(setting).outcome.event_digest, 0u);
}

TEST(Frames, AreToldInPairs) {
  Setting setting = For("instrumented/exceptions");
  setting.flags |= abi::kPlanTrace | abi::kPlanFrames;
  const lab::Run run = Execute(setting);
  EXPECT_EQ(run.Verdict(), "ended(0)");
  std::vector<std::vector<uint64_t>> stacks(run.outcome.num_threads);
  int entered = 0;
  for (const abi::Event& event : run.events) {
    std::vector<uint64_t>& stack = stacks[event.thread];
    if (event.kind == abi::EventKind::kEnter) {
      stack.push_back(event.value);
      ++entered;
    } else if (event.kind == abi::EventKind::kLeave) {
      ASSERT_FALSE(stack.empty());
      EXPECT_EQ(stack.back(), event.value);
      stack.pop_back();
    }
  }
  EXPECT_GT(entered, 20);
  for (size_t i = 1; i < stacks.size(); ++i) EXPECT_TRUE(stacks[i].empty());
}

}  // namespace
}  // namespace fairlead::lab
