// Tests of explore/plan/chess_planner.h over toy programs in the simulator.

#include "explore/plan/chess_planner.h"

#include <gtest/gtest.h>

#include <set>

#include "sched/conflict.h"
#include "sched/prefix_strategy.h"
#include "sched/rng.h"
#include "tests/sched/simulator.h"

namespace fairlead::explore {
namespace {

using sched::ParseToy;
using sched::ToyProgram;

// One execution as planned; returns it as a string of letters.
std::string RunPlanned(ChessPlanner& planner, const Planned& planned,
                       const ToyProgram& program) {
  sched::PrefixStrategy strategy;
  sched::Following following;
  std::vector<abi::ChoiceRecord> choices;
  std::vector<abi::SeenRecord> seen;
  const std::string execution = sched::Simulate(strategy,
                                                {.seed = planned.seed,
                                                 .choices = planned.prefix,
                                                 .following = &following,
                                                 .base = planned.strategy.id},
                                                program, &choices, &seen);
  EXPECT_FALSE(following.parted) << execution;
  Observed observed;
  observed.choices = choices;
  observed.seen = seen;
  planner.Learn(planned, observed);
  return execution;
}

std::multiset<std::string> RunAll(ChessPlanner& planner,
                                  const ToyProgram& program) {
  std::multiset<std::string> executions;
  while (const std::optional<Planned> planned = planner.Next()) {
    executions.insert(RunPlanned(planner, *planned, program));
  }
  EXPECT_TRUE(planner.exhausted());
  return executions;
}

ChessPlanner Make(uint64_t bound, SleepSets sleep_sets) {
  return ChessPlanner(bound, sleep_sets, Profiling::kOff);
}

uint64_t Binomial(uint64_t n, uint64_t k) {
  uint64_t result = 1;
  for (uint64_t i = 0; i < k; ++i) result = result * (n - i) / (i + 1);
  return result;
}

std::string Repeated(char thread, std::string_view step, uint64_t times) {
  std::string text = {thread, ':', ' '};
  for (uint64_t i = 0; i < times; ++i) {
    if (i != 0) text += "; ";
    text += step;
  }
  return text;
}

// Two threads of n steps: a schedule of b blocks has b - 1 switches, of which
// the one away from the thread that ends first is free. So there are
// 2 C(n-1, ceil(b/2)-1) C(n-1, floor(b/2)-1) schedules with b - 2 preemptions.
TEST(ChessPlanner, RunsEveryScheduleWithinTheBoundOnce) {
  for (const uint64_t n : {1, 2, 4, 6}) {
    const ToyProgram program = ParseToy(Repeated('a', "write x", n) + "|" +
                                        Repeated('b', "write x", n));
    for (uint64_t bound = 0; bound <= 4; ++bound) {
      uint64_t expected = 0;
      for (uint64_t b = 2; b <= bound + 2; ++b) {
        expected +=
            2 * Binomial(n - 1, (b + 1) / 2 - 1) * Binomial(n - 1, b / 2 - 1);
      }
      // All steps conflict, so nothing can sleep.
      for (const SleepSets sets : {SleepSets::kOff, SleepSets::kOn}) {
        ChessPlanner planner = Make(bound, sets);
        const auto executions = RunAll(planner, program);
        EXPECT_EQ(executions.size(), expected) << n << " " << bound;
        EXPECT_EQ(std::set(executions.begin(), executions.end()).size(),
                  expected);
        EXPECT_EQ(planner.num_schedules(), expected);
      }
    }
  }
}

TEST(ChessPlanner, RunsAllInterleavingsOfThreeThreadsWithoutABound) {
  const ToyProgram program = ParseToy(
      "a: write x; write x | b: write x; write x | c: write x; write x");
  ChessPlanner planner = Make(64, SleepSets::kOff);
  EXPECT_EQ(RunAll(planner, program).size(), 90u);  // 6! / (2! 2! 2!)
}

TEST(ChessPlanner, RunsThoseWithFewerPreemptionsFirst) {
  const ToyProgram program =
      ParseToy(Repeated('a', "write x", 4) + "|" + Repeated('b', "write x", 4));
  ChessPlanner planner = Make(2, SleepSets::kOn);
  size_t last = 0;
  while (const std::optional<Planned> planned = planner.Next()) {
    const std::string s = RunPlanned(planner, *planned, program);
    size_t switches = 0;
    for (size_t i = 1; i < s.size(); ++i) switches += s[i] != s[i - 1] ? 1 : 0;
    EXPECT_GE(switches, last);
    last = switches;
  }
}

TEST(ChessPlanner, SleepSetsLeaveOutOrdersThatDoNotMatter) {
  const ToyProgram program =
      ParseToy(Repeated('a', "write x", 5) + "|" + Repeated('b', "write y", 5));
  ChessPlanner without = Make(2, SleepSets::kOff);
  ChessPlanner with = Make(2, SleepSets::kOn);
  const size_t all = RunAll(without, program).size();
  const size_t fewer = RunAll(with, program).size();
  EXPECT_LT(fewer, all / 3);
}

// The order of every two operations that conflict.
std::string BehaviourOf(const ToyProgram& program, const std::string& s) {
  struct Done {
    char letter;
    size_t index;
    const sched::ToyStep* step;
  };
  std::vector<Done> done;
  std::map<char, size_t> next;
  for (const char letter : s) {
    for (const sched::ToyThread& thread : program) {
      if (thread.letter != letter) continue;
      const size_t index = next[letter]++;
      done.push_back({letter, index, &thread.steps[index]});
    }
  }
  std::set<std::string> orders;
  for (size_t i = 0; i < done.size(); ++i) {
    for (size_t j = i + 1; j < done.size(); ++j) {
      const bool both_read = sched::OnlyReads(done[i].step->op) &&
                             sched::OnlyReads(done[j].step->op);
      if (done[i].step->object.empty() || both_read ||
          done[i].step->object != done[j].step->object) {
        continue;
      }
      orders.insert(std::string{done[i].letter} +
                    std::to_string(done[i].index) + done[j].letter +
                    std::to_string(done[j].index));
    }
  }
  std::string text;
  for (const std::string& order : orders) text += order + " ";
  return text;
}

std::set<std::string> Behaviours(const ToyProgram& program, uint64_t bound,
                                 SleepSets sets, size_t* num_executions) {
  ChessPlanner planner = Make(bound, sets);
  std::set<std::string> behaviours;
  const auto executions = RunAll(planner, program);
  *num_executions += executions.size();
  for (const std::string& s : executions) {
    behaviours.insert(BehaviourOf(program, s) + (s.ends_with('!') ? "!" : ""));
  }
  return behaviours;
}

// Random programs of three threads and four steps over two variables and two
// locks: with and without sleep sets, and within any bound, the same
// behaviours.
TEST(ChessPlanner, SleepSetsLoseNoBehaviourWithinTheBound) {
  sched::Rng rng(1);
  constexpr const char* kSteps[] = {"read x",  "write x", "read y", "write y",
                                    "write z", "LOCKED",  "yield"};
  size_t with = 0;
  size_t without = 0;
  for (int i = 0; i < 60; ++i) {
    std::string text;
    for (const char thread : {'a', 'b', 'c'}) {
      if (!text.empty()) text += "|";
      text += {thread, ':', ' '};
      for (int step = 0; step < 3; ++step) {
        if (step != 0) text += "; ";
        const std::string_view word = kSteps[rng.Below(std::size(kSteps))];
        text += word == "LOCKED"
                    ? (rng.Below(2) == 0 ? "lock m; write x; unlock m"
                                         : "lock n; read y; unlock n")
                    : word;
      }
    }
    const ToyProgram program = ParseToy(text);
    for (uint64_t bound = 0; bound <= 2; ++bound) {
      const auto reached = Behaviours(program, bound, SleepSets::kOn, &with);
      const auto all = Behaviours(program, bound, SleepSets::kOff, &without);
      EXPECT_TRUE(reached == all) << text << " within " << bound << ": "
                                  << reached.size() << " of " << all.size();
    }
  }
  EXPECT_LT(with, without);
}

TEST(ChessPlanner, FindsADeadlockWithOnePreemption) {
  ChessPlanner planner = Make(1, SleepSets::kOn);
  EXPECT_TRUE(RunAll(planner, ParseToy("a: lock m; lock n; unlock n; unlock m |"
                                       "b: lock n; lock m; unlock m; unlock n"))
                  .contains("ab!"));
}

TEST(ChessPlanner, IsFairToThreadsThatSpin) {
  ChessPlanner planner = Make(2, SleepSets::kOn);
  for (const std::string& s :
       RunAll(planner, ParseToy("a: yield until x; write y | b: write x"))) {
    EXPECT_EQ(s, "baa");
  }
}

TEST(ChessPlanner, SaysHowManySchedulesTheSpaceHeld) {
  ChessPlanner planner = Make(1, SleepSets::kOn);
  const ToyProgram program = ParseToy("a: write x; write x | b: write x");
  EXPECT_NE(planner.Remark().find("left"), std::string::npos);
  RunAll(planner, program);
  EXPECT_EQ(planner.Remark(),
            "all schedules with at most 1 preemption have been run: "
            "3 schedules");
}

TEST(ChessPlanner, GoesOnFromASavedState) {
  const ToyProgram program =
      ParseToy(Repeated('a', "write x", 5) + "|" + Repeated('b', "read x", 5));
  ChessPlanner whole = Make(2, SleepSets::kOn);
  const auto expected = RunAll(whole, program);

  std::multiset<std::string> executions;
  auto planner =
      std::make_unique<ChessPlanner>(2, SleepSets::kOn, Profiling::kOff);
  int left = 5;
  while (const std::optional<Planned> planned = planner->Next()) {
    if (left-- == 0) {  // this one is under way and lost
      auto restored = ChessPlanner::RestoreUntrusted(planner->Save());
      ASSERT_TRUE(restored) << restored.error().Text();
      planner = *std::move(restored);
      left = 5;
      continue;
    }
    executions.insert(RunPlanned(*planner, *planned, program));
  }
  EXPECT_EQ(executions, expected);
  EXPECT_EQ(planner->num_schedules(), whole.num_schedules());
}

TEST(ChessPlanner, RefusesADamagedState) {
  ChessPlanner planner = Make(2, SleepSets::kOn);
  RunPlanned(planner, *planner.Next(), ParseToy("a: write x | b: write x"));
  const std::string text = planner.Save();
  EXPECT_TRUE(ChessPlanner::RestoreUntrusted(text));
  EXPECT_FALSE(ChessPlanner::RestoreUntrusted(""));
  EXPECT_FALSE(ChessPlanner::RestoreUntrusted("fairlead chess 9\n"));
  for (size_t i = 1; i + 1 < text.size(); ++i) {
    (void)ChessPlanner::RestoreUntrusted(text.substr(0, i));  // no crash
    std::string damaged = text;
    damaged[i] = 'x';
    (void)ChessPlanner::RestoreUntrusted(damaged);
  }
}

TEST(ChessPlanner, PlansSeveralExecutionsAtOnce) {
  const ToyProgram program =
      ParseToy(Repeated('a', "write x", 4) + "|" + Repeated('b', "write x", 4));
  ChessPlanner planner = Make(2, SleepSets::kOn);
  size_t num_run = 0;
  while (!planner.exhausted()) {
    std::vector<Planned> batch;
    while (batch.size() < 4) {
      std::optional<Planned> planned = planner.Next();
      if (!planned) break;
      batch.push_back(*std::move(planned));
    }
    ASSERT_FALSE(batch.empty());
    for (const Planned& planned : batch) RunPlanned(planner, planned, program);
    num_run += batch.size();
  }
  EXPECT_EQ(num_run, 26u);  // 2 + 2*3 + 2*3*3
}

TEST(ChessPlanner, LooksForSharedAccessesFirst) {
  ChessPlanner planner(2);
  for (int i = 0; i < 3; ++i) {
    const std::optional<Planned> planned = planner.Next();
    EXPECT_TRUE(planned->watch.Wants(WatcherId::kProfile));
    EXPECT_EQ(planned->sites, Sites::kAll);
  }
  EXPECT_FALSE(planner.Next()->watch.Wants(WatcherId::kProfile));
}

}  // namespace
}  // namespace fairlead::explore
