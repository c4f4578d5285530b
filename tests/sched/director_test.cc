// The director over toy programs: targets that can be realised are, within six
// attempts, those that cannot are told so, and no program hangs on the way.
//
// A target is written as its steps and its edges:
//
//   "a1 b0 a2 : 0>1! 1>2!"
//
// steps are a thread's letter and the index of its operation, which is also the
// step's object; edges are indices of steps, "!" forbids accesses between to
// the object of the first, "?" is soft. "a1@0" holds a at its operation 0.

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <string>

#include "abi/target.h"
#include "sched/director_strategy.h"
#include "sched/factory.h"
#include "tests/sched/simulator.h"

namespace fairlead::sched {
namespace {

abi::TargetOperation OperationOf(Op op) {
  switch (op) {
    case Op::kRead:
      return abi::TargetOperation::kRead;
    case Op::kWrite:
      return abi::TargetOperation::kWrite;
    case Op::kLock:
      return abi::TargetOperation::kLock;
    case Op::kUnlock:
      return abi::TargetOperation::kUnlock;
    default:
      return abi::TargetOperation::kAny;
  }
}

// As the simulator numbers its sites.
SiteId SiteOf(size_t thread, size_t operation) {
  return SiteId{(thread << 16) + operation + 1};
}

abi::TargetRecord ParseTarget(const ToyProgram& program,
                              const std::string& text) {
  abi::TargetRecord target = {};
  std::map<std::string, uint8_t> objects;
  std::istringstream words(text);
  std::string word;
  while (words >> word && word != ":") {
    size_t thread = 0;
    while (program.at(thread).letter != word[0]) ++thread;
    const size_t operation = std::stoul(word.substr(1));
    const ToyStep& step = program[thread].steps.at(operation);
    const auto object =
        objects.emplace(step.object, static_cast<uint8_t>(objects.size()));
    abi::TargetStepRecord& record = target.steps[target.num_steps++];
    record.anchor = SiteOf(thread, operation);
    record.operation = OperationOf(step.op);
    record.thread = static_cast<uint8_t>(thread);
    record.object = object.first->second;
    record.unit = abi::kNoRole;
    if (const size_t at = word.find('@'); at != std::string::npos) {
      record.hold_at = SiteOf(thread, std::stoul(word.substr(at + 1)));
    }
  }
  while (words >> word) {
    abi::TargetEdgeRecord& edge = target.edges[target.num_edges++];
    edge.before = static_cast<uint8_t>(word[0] - '0');
    edge.after = static_cast<uint8_t>(word[2] - '0');
    if (word.ends_with('!')) edge.adjacency = abi::TargetAdjacency::kNobody;
    if (word.ends_with('?')) edge.soft = 1;
    if (word.ends_with('~')) {
      edge.adjacency = abi::TargetAdjacency::kNotOwnThread;
    }
  }
  return target;
}

struct Forced {
  bool success = false;
  int attempts = 0;
  std::string execution;  // of the attempt that succeeded, or the last
  abi::TargetProgress progress = {};
};

constexpr int kAttempts = 6;

Forced Force(const std::string& program, const std::string& target) {
  const ToyProgram toy = ParseToy(program);
  abi::TargetRecord record = ParseTarget(toy, target);
  DirectorStrategy director;
  Forced forced;
  while (!forced.success && forced.attempts < kAttempts) {
    ExecutionPlan plan = {.seed = 1000 + static_cast<uint64_t>(forced.attempts),
                          .target = &record};
    plan.params[0] = static_cast<uint64_t>(forced.attempts++);
    forced.execution = Simulate(director, plan, toy);
    forced.progress = record.progress;
    // A deadlock is the success of a target that ends in two locks.
    forced.success =
        record.progress.success != 0 ||
        (target.ends_with("deadlock") && forced.execution.ends_with("!"));
  }
  return forced;
}

// Idiom 4: a's thread touches neither x nor y between its two steps; which y
// that is is known only when it gets there.
TEST(Director, NoticesThatTheLaterObjectWasTouchedBefore) {
  const char* target = "a0 b0 b1 a2 : 0>1! 2>3! 0>3~";
  const char* others = " | b: write x; write y";
  EXPECT_TRUE(
      Force(std::string("a: read x; read p; read y") + others, target).success);
  EXPECT_FALSE(
      Force(std::string("a: read x; read y; read y") + others, target).success);
}

struct Case {
  const char* program;
  const char* target;
};

// Feasible ones; what they are to show is in the comment ahead.
constexpr Case kFeasible[] = {
    // Both orders of a racing pair.
    {"a: write x | b: write x", "a0 b0 : 0>1!"},
    {"a: write x | b: write x", "b0 a0 : 0>1!"},
    {"a: read x | b: write x", "a0 b0 : 0>1!"},
    {"a: read x | b: write x", "b0 a0 : 0>1!"},
    {"a: write y; read x | b: read y; write x", "a1 b1 : 0>1!"},
    {"a: write y; read x | b: read y; write x", "b1 a1 : 0>1!"},
    // A long way to one of the steps.
    {"a: write x | b: read p; read p; read p; read p; read x", "b4 a0 : 0>1!"},
    {"a: write x | b: read p; read p; read p; read p; read x", "a0 b4 : 0>1!"},
    {"a: read p; read p; read p; write x | b: read x", "a3 b0 : 0>1!"},
    // Order alone, with others between.
    {"a: write x | b: write x | c: read x; read x", "b0 a0 : 0>1"},
    {"a: write x | b: write x | c: read x; read x", "c1 a0 b0 : 0>1 1>2"},
    {"a: write x | b: write x | c: read x; read x",
     "b0 c0 a0 c1 : 0>1 1>2 2>3"},
    // Nobody between, with a third thread that wants to.
    {"a: write x | b: read x | c: write x; write x", "a0 b0 : 0>1!"},
    {"a: write x | b: read x | c: write x; write x", "c0 b0 : 0>1!"},
    {"a: write x | b: read x | c: write x; write x", "c1 b0 : 0>1!"},
    // Unserialisable triples.
    {"a: read x; write x | b: write x", "a0 b0 a1 : 0>1! 1>2!"},
    {"a: read x; read x | b: write x", "a0 b0 a1 : 0>1! 1>2!"},
    {"a: write x; write x | b: read x", "a0 b0 a1 : 0>1! 1>2!"},
    {"a: write x; read x | b: write x", "a0 b0 a1 : 0>1! 1>2!"},
    {"a: read x; read p; read p; write x | b: read q; write x",
     "a0 b1 a3 : 0>1! 1>2!"},
    {"a: read x; write x | b: write x | c: write x", "a0 c0 a1 : 0>1! 1>2!"},
    // The window behind a lock: it opens between two critical sections.
    {"a: lock m; read x; unlock m; lock m; write x; unlock m | "
     "b: lock m; write x; unlock m",
     "a1 b1 a4 : 0>1! 1>2!"},
    {"a: lock m; read x; unlock m; read p; lock m; write x; unlock m | "
     "b: read p; lock m; read x; write x; unlock m",
     "a1 b3 a5 : 0>1 1>2"},
    {"a: lock m; write x; unlock m; lock n; write x; unlock n | "
     "b: lock n; read x; unlock n",
     "a1 b1 a4 : 0>1! 1>2!"},
    // Two variables.
    {"a: write x; write y | b: read x; read y", "a0 b0 b1 a1 : 0>1 2>3"},
    {"a: write x; write y | b: read y; read x", "b0 a0 a1 b1 : 0>1 2>3"},
    {"a: write x; read y | b: write y; read x", "a0 b0 b1 a1 : 0>2 1>3"},
    {"a: write x; read y | b: write y; read x", "a1 b0 : 0>1"},
    {"a: write x; read y | b: write y; read x", "b1 a0 : 0>1"},
    // Held at the first lock around the step.
    {"a: lock m; write x; unlock m | b: lock m; read x; unlock m",
     "b1 a1@0 : 0>1"},
    {"a: lock m; write x; unlock m | b: lock m; read x; unlock m",
     "a1 b1@0 : 0>1"},
    {"a: lock m; lock n; write x; unlock n; unlock m | "
     "b: lock m; read p; unlock m; lock n; read x; unlock n",
     "b4 a2@0 : 0>1"},
    // Deadlocks of two, three and four threads.
    {"a: lock m; lock n; unlock n; unlock m | "
     "b: lock n; lock m; unlock m; unlock n",
     "a0 a1 b0 b1 : 0>3 2>1 deadlock"},
    {"a: lock p; lock m; lock n; unlock n; unlock m; unlock p | "
     "b: read q; read q; lock n; lock m; unlock m; unlock n",
     "a1 a2 b2 b3 : 0>3 2>1 deadlock"},
    {"a: lock l; lock m; unlock m; unlock l | "
     "b: lock m; lock n; unlock n; unlock m | "
     "c: lock n; lock l; unlock l; unlock n",
     "a0 a1 b0 b1 c0 c1 : 0>5 2>1 4>3 deadlock"},
    {"a: lock l; lock m; unlock m; unlock l | "
     "b: lock m; lock n; unlock n; unlock m | "
     "c: lock n; lock o; unlock o; unlock n | "
     "d: lock o; lock l; unlock l; unlock o",
     "a0 a1 b0 b1 c0 c1 d0 d1 : 0>7 2>1 4>3 6>5 deadlock"},
    // A step behind a flag that another thread sets.
    {"a: yield until f; write x | b: write f; read x", "a1 b1 : 0>1!"},
    {"a: yield until f; write x | b: write f; read x", "b1 a1 : 0>1!"},
    {"a: yield until f; read x; read x | b: write f; write x",
     "a1 b1 a2 : 0>1! 1>2!"},
    // A precondition: c must be past its read before a may write.
    {"a: write g; write x | b: yield until g; read x | c: read g; write x",
     "c0 a0 c1 b1 : 0>1 2>3!"},
    // A soft edge that cannot hold is given up.
    {"a: write f; write x | b: yield until f; read x", "b1 a0 a1 : 0>1? 0>2"},
};

TEST(DirectorStrategy, RealisesWhatIsFeasibleWithinSixAttempts) {
  for (const Case& c : kFeasible) {
    SCOPED_TRACE(std::string(c.program) + "   " + c.target);
    const Forced forced = Force(c.program, c.target);
    EXPECT_TRUE(forced.success)
        << "last execution " << forced.execution << ", best "
        << forced.progress.best << ", restarts " << forced.progress.restarts;
  }
}

// What no schedule can show.
constexpr Case kInfeasible[] = {
    // One critical section around both.
    {"a: lock m; read x; write x; unlock m | b: lock m; write x; unlock m",
     "a1 b1 a2 : 0>1! 1>2!"},
    // Against the order that a flag makes.
    {"a: write f | b: yield until f; write x", "b1 a0 : 0>1"},
    {"a: write x; write f | b: yield until f; read x", "b1 a0 : 0>1"},
    // A common gate lock around both pairs.
    {"a: lock g; lock m; lock n; unlock n; unlock m; unlock g | "
     "b: lock g; lock n; lock m; unlock m; unlock n; unlock g",
     "a1 a2 b1 b2 : 0>3 2>1 deadlock"},
    // The thread itself touches the object between.
    {"a: write x; write x | b: read q; read x", "a0 a1 b1 : 0>2! 1>2"},
    // One order for both locks.
    {"a: lock m; lock n; unlock n; unlock m | "
     "b: lock m; lock n; unlock n; unlock m",
     "a0 a1 b1 b0 : 0>3 2>1 deadlock"},
    // A cycle through a flag.
    {"a: read x; write f | b: yield until f; write x", "b1 a0 : 0>1!"},
};

TEST(DirectorStrategy, TellsThatSomethingWasNotReached) {
  for (const Case& c : kInfeasible) {
    SCOPED_TRACE(std::string(c.program) + "   " + c.target);
    const Forced forced = Force(c.program, c.target);
    EXPECT_FALSE(forced.success) << forced.execution;
    EXPECT_EQ(forced.attempts, kAttempts);
    // The program ran to its end all the same.
    EXPECT_NE(forced.execution.back(), '!');
    EXPECT_NE(forced.execution.back(), '~');
  }
}

TEST(DirectorStrategy, SaysWhichStepsCame) {
  const Forced forced =
      Force("a: write x; write f | b: yield until f; read x", "b1 a0 : 0>1");
  EXPECT_FALSE(forced.success);
  EXPECT_NE(forced.progress.in_sight & 1, 0) << "b stood at its read";
  EXPECT_NE(forced.progress.in_sight & 2, 0) << "a stood at its write";
}

TEST(DirectorStrategy, TheRightOccurrence) {
  // b must read x behind the second of the writes, not the first.
  const ToyProgram toy = ParseToy("a: write x; write x; write x | b: read x");
  abi::TargetRecord target = ParseTarget(toy, "a1 b0 : 0>1!");
  DirectorStrategy director;
  EXPECT_EQ(Simulate(director, {.seed = 1, .target = &target}, toy), "aaba");
  EXPECT_EQ(target.progress.success, 1u);
}

// Knows of threads only how they were created: main made all of them.
class Paths final : public Insight {
 public:
  Candidate IntentOf(Tid tid) const noexcept override {
    return {tid, Op::kEnd, ObjId::kNone, SiteId::kNone};
  }
  uint32_t NodeOf(Tid) const noexcept override { return 0; }
  uint64_t ContextOf(uint32_t) const noexcept override { return 0; }
  bool Encloses(uint32_t, uint32_t) const noexcept override { return true; }
  bool FindOuter(uint32_t, uint64_t, uint32_t*) const noexcept override {
    return false;
  }
  uint64_t PathOf(Tid tid) const noexcept override {
    const size_t number = abi::Index(tid);
    return number == 0 ? abi::kMainPath
                       : abi::ChildPath(abi::kMainPath, number);
  }
  uint64_t InstructionsOf(Tid) const noexcept override { return 0; }
  Block BlockAt(uint64_t) const noexcept override { return {}; }
  bool ReadMemory(uint64_t, uint64_t, uint64_t*) const noexcept override {
    return false;
  }
};

// Both steps fit both threads; the older one would be taken for the first.
TEST(DirectorStrategy, AStepOfANamedThreadIsNobodyElses) {
  const ToyProgram toy = ParseToy("a: write x | b: write x | c: write x");
  const Paths paths;
  for (const bool named : {false, true}) {
    abi::TargetRecord target = ParseTarget(toy, "c0 b0 : 0>1");
    for (size_t s = 0; s < 2; ++s) {
      target.steps[s].anchor = SiteId::kNone;
      if (named) target.steps[s].path = abi::ChildPath(abi::kMainPath, 2 - s);
    }
    DirectorStrategy director;
    const ExecutionPlan plan = {
        .seed = 1, .target = &target, .insight = &paths};
    const std::string execution = Simulate(director, plan, toy);
    EXPECT_EQ(target.progress.success, 1u);
    EXPECT_EQ(execution.find('c') < execution.find('b'), named) << execution;
  }
}

// A thread may come to the second of its steps without the first, which is in
// another branch: it is held all the same.
TEST(DirectorStrategy, AStepOfANamedThreadDoesNotWaitForItsOtherSteps) {
  const ToyProgram toy = ParseToy("a: read p; write x | b: read q; write x");
  const Paths paths;
  abi::TargetRecord target = ParseTarget(toy, "a0 a1 b1 b0 : 2>1");
  target.steps[0].path = target.steps[1].path = abi::kMainPath;
  target.steps[2].path = target.steps[3].path =
      abi::ChildPath(abi::kMainPath, 1);
  target.steps[0].anchor = SiteOf(7, 7);  // never comes
  DirectorStrategy director;
  const std::string execution = Simulate(
      director, {.seed = 1, .target = &target, .insight = &paths}, toy);
  EXPECT_LT(execution.rfind('b'), execution.rfind('a')) << execution;
}

TEST(DirectorStrategy, WithoutATargetOlderThreadsGoFirst) {
  DirectorStrategy director;
  const ToyProgram toy = ParseToy("a: read x; read x | b: read x; read x");
  EXPECT_EQ(Simulate(director, {.seed = 1}, toy), "aabb");
  ExecutionPlan younger = {.seed = 1};
  younger.params[0] = 1;
  EXPECT_EQ(Simulate(director, younger, toy), "bbaa");
}

// Every base must leave the target alone, and decide where it says nothing.
TEST(DirectorStrategy, AnyBaseDecidesUnderneath) {
  const ToyProgram toy = ParseToy(
      "a: read p; write x | b: read x; read p | c: read p; read p; read p");
  std::set<std::string> executions;
  for (const StrategyEntry& base : kStrategies) {
    for (uint64_t seed = 1; seed <= 5; ++seed) {
      abi::TargetRecord target = ParseTarget(toy, "a1 b0 : 0>1!");
      ExecutionPlan plan = {.seed = seed, .target = &target};
      plan.params[1] = static_cast<uint64_t>(base.id);
      plan.params[2] = 2;
      plan.params[3] = 7;
      DirectorStrategy director;
      executions.insert(Simulate(director, plan, toy));
      EXPECT_EQ(target.progress.success, 1u) << base.name << " " << seed;
    }
  }
  EXPECT_GT(executions.size(), 3u);
}

TEST(DirectorStrategy, WithoutATargetTheBaseDecidesAlone) {
  const ToyProgram toy = ParseToy("a: read x; read x | b: read x; read x");
  ExecutionPlan plan = {.seed = 1};
  plan.params[1] = static_cast<uint64_t>(StrategyId::kRoundRobin);
  DirectorStrategy director;
  EXPECT_EQ(Simulate(director, plan, toy), "abab");
}

TEST(DirectorStrategy, ADamagedTargetIsIgnored) {
  abi::TargetRecord target = {};
  target.num_steps = 4'000'000;
  DirectorStrategy director;
  EXPECT_EQ(Simulate(director, {.seed = 1, .target = &target},
                     ParseToy("a: read x | b: read x")),
            "ab");
}

// Each thread's first step is to precede the other's second one: both are
// brought to their first, and go on only when both are done (Maple, 4.7).
TEST(DirectorStrategy, BringsTwoThreadsToTheirFirstStepsAndDoesBoth) {
  for (const char* order : {"ab", "ba"}) {
    const ToyProgram toy = ParseToy(
        "a: write x; read p; read p; read y | b: write y; read p; read x");
    abi::TargetRecord target = ParseTarget(toy, "a0 b0 b2 a3 : 0>2! 1>3!");
    DirectorStrategy director;
    ExecutionPlan plan = {.seed = 1, .target = &target};
    plan.params[0] = order[0] == 'a' ? 0 : 1;
    EXPECT_TRUE(Simulate(director, plan, toy).starts_with(order));
    EXPECT_EQ(target.progress.success, 1u);
  }
}

// How many of `seeds` did all of `steps` where others stand at what is to
// follow, on another object.
int NumDone(uint64_t attempt, abi::TargetRecord target, const ToyProgram& toy,
            uint16_t steps, uint64_t seeds) {
  int done = 0;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    DirectorStrategy director;
    ExecutionPlan plan = {.seed = seed, .target = &target};
    plan.params[0] = attempt;
    Simulate(director, plan, toy);
    done += (target.progress.best & steps) == steps;
  }
  return done;
}

TEST(DirectorStrategy, ArbitratesEvenlyBetweenInstancesOfAFirstStep) {
  const ToyProgram toy = ParseToy("a: write x | b: read y");
  abi::TargetRecord target = ParseTarget(toy, "a0 b0 : 0>1!");
  target.steps[1].object = target.steps[0].object;
  EXPECT_EQ(NumDone(0, target, toy, 1, 200), 200);
  // 200 even draws are outside of this with a probability below 10^-5.
  for (const uint64_t attempt : {0, 1}) {
    const int done =
        NumDone(attempt | DirectorStrategy::kArbitrates, target, toy, 1, 200);
    EXPECT_GT(done, 68);
    EXPECT_LT(done, 132);
  }
  // Nobody else stands anywhere: nothing to choose.
  EXPECT_EQ(NumDone(DirectorStrategy::kArbitrates, target,
                    ParseToy("a: write x"), 1, 200),
            200);
}

TEST(DirectorStrategy, KeepsAHalfThatIsDoneFourTimesOfFive) {
  const ToyProgram toy = ParseToy("a: write x; read z | b: read x; write y");
  abi::TargetRecord target = ParseTarget(toy, "a0 b0 b1 a1 : 0>1! 2>3!");
  target.steps[3].object = target.steps[2].object;
  EXPECT_EQ(NumDone(0, target, toy, 7, 200), 200);
  // 200 draws of 4/5: 160, and 24.6 more or less with probability 10^-5.
  const int done = NumDone(DirectorStrategy::kArbitrates, target, toy, 7, 200);
  EXPECT_GT(done, 134);
  EXPECT_LT(done, 186);
}

TEST(DirectorStrategy, GivesTheSameExecutionForOneSeed) {
  const ToyProgram toy = ParseToy(
      "a: read x; write x; read x | b: read x; write x | c: write x; read x");
  for (uint64_t attempt = 0; attempt < 8; ++attempt) {
    std::string first;
    for (int repetition = 0; repetition < 2; ++repetition) {
      abi::TargetRecord target =
          ParseTarget(toy, "a0 b1 a1 c0 : 0>1! 1>2 2>3!");
      DirectorStrategy director;
      ExecutionPlan plan = {.seed = attempt, .target = &target};
      plan.params[0] = attempt;
      const std::string execution = Simulate(director, plan, toy);
      if (repetition == 0) first = execution;
      EXPECT_EQ(execution, first);
    }
  }
}

}  // namespace
}  // namespace fairlead::sched
