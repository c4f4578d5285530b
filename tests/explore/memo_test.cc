#include "explore/plan/memo.h"

#include <gtest/gtest.h>

#include <cmath>

#include "explore/aim/iroot_target.h"
#include "explore/plan/coverage.h"
#include "explore/plan/maple_planner.h"
#include "sched/director_strategy.h"

namespace fairlead::explore {
namespace {

namespace iroot = analysis::iroot;

IRoot Root(std::string_view text) {
  const Result<IRoot> root = iroot::ParseIRootUntrusted(text);
  EXPECT_TRUE(root.has_value()) << text;
  return root ? *root : IRoot{};
}

const IRoot kOne = Root("1 write:0x1=>read:0x2");
const IRoot kOther = Root("1 read:0x2=>write:0x1");
const IRoot kTwo = Root("2 read:0x3=>write:0x1=>read:0x4");
const IRoot kLibrary = Root("1 write:0x9=>read:0x2");
const IRoot kDeadlock = Root("5 lock:0x5=>lock:0x6 lock:0x7=>lock:0x8");

const std::map<uint64_t, SiteFacts> kFacts = {
    {1, {{"a.c", 3, 1}, "set", false, false}},
    {2, {{"a.c", 9, 1}, "get", false, false}},
    {9, {{"lib.c", 5, 1}, "helper", true, false}}};

IRootsSeen Predicts(std::vector<IRoot> roots) {
  IRootsSeen seen;
  for (const IRoot& root : roots)
    seen.predicted.emplace_back(root, Candidate{});
  return seen;
}
IRootsSeen Exposes(std::vector<IRoot> roots) {
  IRootsSeen seen;
  seen.exposed = std::move(roots);
  return seen;
}

IRoot NextOf(Memo& memo, MemoOrder order, bool libraries = true,
             bool late = false) {
  const std::optional<size_t> index = memo.Next(order, libraries, late);
  return index ? memo.entries()[*index].root : IRoot{.idiom = 0};
}

TEST(Memo, NeverForcesWhatWasExposed) {
  Memo memo;
  EXPECT_EQ(memo.Learn(Exposes({kOne}), kFacts, 5).exposed, 1u);
  EXPECT_EQ(memo.Learn(Exposes({kOne}), kFacts, 5).exposed, 0u);
  EXPECT_EQ(memo.Learn(Predicts({kOne, kOther}), kFacts, 5).predicted, 1u);
  EXPECT_EQ(NextOf(memo, MemoOrder::kPaper), kOther);
  EXPECT_FALSE(memo.Next(MemoOrder::kPaper, true, false));
  EXPECT_EQ(memo.num_exposed(), 1u);
}

TEST(Memo, RestsAfterTwoAttemptsWithAnInputAndSixInAll) {
  Memo memo;
  for (int input = 0; input < 3; ++input) {
    memo.BeginInput();
    EXPECT_FALSE(memo.Next(MemoOrder::kPaper, true, false));
    memo.Learn(Predicts({kOne}), kFacts, 0);
    for (int attempt = 0; attempt < 2; ++attempt) {
      const auto index = memo.Next(MemoOrder::kPaper, true, false);
      ASSERT_TRUE(index);
      memo.Learn(*index, false);
    }
    EXPECT_FALSE(memo.Next(MemoOrder::kPaper, true, false));
  }
  memo.BeginInput();
  memo.Learn(Predicts({kOne}), kFacts, 0);
  EXPECT_FALSE(memo.Next(MemoOrder::kPaper, true, false)) << "six in all";
  // When time is left it comes back.
  EXPECT_TRUE(memo.Next(MemoOrder::kPaper, true, true));
}

TEST(Memo, ANewInputClearsPredictionsOnly) {
  Memo memo;
  memo.Learn(Exposes({kTwo}), kFacts, 0);
  memo.Learn(Predicts({kOne}), kFacts, 0);
  memo.BeginInput();
  EXPECT_FALSE(memo.Next(MemoOrder::kPaper, true, false));
  EXPECT_EQ(memo.num_exposed(), 1u);
}

TEST(Memo, HasTwoOrders) {
  Memo memo;
  memo.Learn(Predicts({kLibrary, kTwo, kOne, kDeadlock}), kFacts, 0);
  for (const IRoot& root : {kOne, kLibrary, kTwo, kDeadlock}) {
    EXPECT_EQ(NextOf(memo, MemoOrder::kPaper), root);
  }
  Memo again;
  again.Learn(Predicts({kLibrary, kOne, kTwo, kDeadlock}), kFacts, 0);
  for (const IRoot& root : {kDeadlock, kTwo, kOne, kLibrary}) {
    EXPECT_EQ(NextOf(again, MemoOrder::kSuspicion), root);
  }
}

TEST(Memo, WhatRestsIsNoNewCandidateOfAnotherInput) {
  Memo memo;
  EXPECT_EQ(memo.Learn(Predicts({kOne}), kFacts, 0).predicted, 1u);
  for (uint64_t i = 0; i < Memo::kAttempts; ++i) memo.Learn(0, false);
  memo.BeginInput();
  EXPECT_EQ(memo.Learn(Predicts({kOne, kOther}), kFacts, 0).predicted, 1u);
}

TEST(Memo, CanLeaveIdiomsOut) {
  Memo memo;
  memo.LimitIdioms(1);
  EXPECT_EQ(memo.Learn(Predicts({kOne, kTwo}), kFacts, 0).predicted, 1u);
  EXPECT_EQ(NextOf(memo, MemoOrder::kPaper), kOne);
  EXPECT_FALSE(memo.Next(MemoOrder::kPaper, true, false));
}

TEST(Memo, CanLeaveLibrariesOut) {
  Memo memo;
  memo.Learn(Predicts({kLibrary}), kFacts, 0);
  EXPECT_FALSE(memo.Next(MemoOrder::kPaper, false, false));
  EXPECT_TRUE(memo.Next(MemoOrder::kPaper, true, false));
}

TEST(Memo, Merges) {
  Memo one;
  one.Learn(Exposes({kOne}), kFacts, 10);
  Memo other;
  other.Learn(Exposes({kOne, kOther}), kFacts, 20);
  one.Merge(other);
  EXPECT_EQ(one.num_exposed(), 2u);
  EXPECT_EQ(one.entries()[0].exposures, 2u);
  EXPECT_EQ(one.num_executions(), 2u);
}

TEST(Memo, GivesOutWhatChanged) {
  Memo memo;
  memo.Learn(Exposes({kOne}), kFacts, 10);
  ASSERT_EQ(memo.TakeChanges().size(), 1u);
  EXPECT_TRUE(memo.TakeChanges().empty());
  EXPECT_EQ(memo.TakeGrowth(), (std::vector<Memo::Growth>{{1, 10, 1}}));
  memo.Learn(Exposes({kOne}), kFacts, 10);
  const std::vector<MemoEntry> changes = memo.TakeChanges();
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].exposures - changes[0].kept_exposures, 1u);
}

// iRoots numbered `from` to `to - 1`.
std::vector<IRoot> Roots(uint64_t from, uint64_t to) {
  std::vector<IRoot> roots;
  for (uint64_t i = from; i < to; ++i) {
    roots.push_back(kOne);
    roots.back().steps[0].place = 100 + i;
  }
  return roots;
}

constexpr uint64_t kSecond = 1'000'000'000;

TEST(Memo, EstimatesWhatIsLeft) {
  Memo memo;
  // Ten executions expose one iRoot each, all different: much is left.
  for (uint64_t i = 0; i < 10; ++i) {
    memo.Learn(Exposes(Roots(i, i + 1)), kFacts, kSecond);
  }
  std::optional<Estimate> estimate = EstimateOf(memo, 10);
  ASSERT_TRUE(estimate);
  EXPECT_DOUBLE_EQ(estimate->next, 1);
  EXPECT_NEAR(estimate->unseen, .9 * 10 * 9 / 2, 1e-9);
  EXPECT_GT(estimate->in_time, 5);
  // The same again and again: nothing is.
  for (uint64_t round = 0; round < 5; ++round) {
    memo.Learn(Exposes(Roots(0, 10)), kFacts, kSecond);
  }
  estimate = EstimateOf(memo, 600);
  ASSERT_TRUE(estimate);
  EXPECT_DOUBLE_EQ(estimate->next, 0);
  EXPECT_DOUBLE_EQ(estimate->in_time, 0);
  EXPECT_DOUBLE_EQ(estimate->unseen, 0);
  EXPECT_FALSE(std::signbit(estimate->unseen)) << "printed as -0";
}

// An execution exposes many iRoots at once. What the next one adds does not get
// less because it also exposes what is known.
TEST(Memo, EstimatesByExecutionsAndNotByExposures) {
  Memo memo;
  for (uint64_t i = 0; i < 10; ++i) {
    std::vector<IRoot> roots = Roots(0, 90);
    roots.push_back(Roots(90 + i, 91 + i).front());
    memo.Learn(Exposes(roots), kFacts, kSecond);
  }
  ASSERT_EQ(memo.num_exposed(), 100u);
  const std::optional<Estimate> estimate = EstimateOf(memo, 1);
  ASSERT_TRUE(estimate);
  EXPECT_DOUBLE_EQ(estimate->next, 1);
  // A second is the time of one execution.
  EXPECT_NEAR(estimate->in_time, estimate->next, .1);
}

TEST(Memo, EstimatesNothingFromOneExecution) {
  Memo memo;
  EXPECT_FALSE(EstimateOf(memo, 10));
  memo.Learn(Exposes(Roots(0, 5)), kFacts, kSecond);
  EXPECT_FALSE(EstimateOf(memo, 10));
  memo.Learn(Exposes(Roots(0, 5)), kFacts, kSecond);
  EXPECT_TRUE(EstimateOf(memo, 10));
}

TEST(Coverage, CountsByIdiomFileFunctionAndLine) {
  Memo memo;
  memo.Learn(Predicts({kOne, kOther, kLibrary}), kFacts, 0);
  memo.Learn(Exposes({kOne}), kFacts, 0);
  const finding::Coverage coverage = CoverageOf(memo, true);
  EXPECT_EQ(coverage.by_idiom[1].exposed, 1u);
  EXPECT_EQ(coverage.by_idiom[1].open, 2u);
  EXPECT_EQ(coverage.by_file.at("a.c").all(), 3u);
  EXPECT_EQ(coverage.by_file.at("lib.c").all(), 1u);
  EXPECT_EQ(coverage.by_function.at("set").all(), 2u);
  ASSERT_EQ(coverage.lines.size(), 3u);
  const finding::LineCoverage& line = coverage.lines[0];
  EXPECT_EQ(line.line, 3u);
  ASSERT_EQ(line.pairs.size(), 2u);
  EXPECT_EQ(line.num_tested(), 1u);
  EXPECT_EQ(CoverageOf(memo, false).all.all(), 2u);
}

TEST(IRootTarget, IsOneThatCanBeForced) {
  for (const IRoot& root :
       {kOne, kTwo, kDeadlock,
        Root("3 write:0x1=>read:0x2 write:0x3=>read:0x4"),
        Root("4 write:0x1=>read:0x2 write:0x3=>read:0x4"),
        Root("5 write:0x1=>read:0x2 write:0x3=>read:0x4"),
        Root("6 unlock:0x1=>lock:0x2 write:0x3=>read:0x4")}) {
    const finding::Target target = TargetOf(root, kFacts);
    const Status checked = finding::CheckTarget(target);
    EXPECT_TRUE(checked.has_value()) << finding::PrintTarget(target);
    EXPECT_EQ(target.steps.size(), root.used().size());
  }
  EXPECT_EQ(SentenceOf(kOne, kFacts),
            "write at a.c:3 (set), then read at a.c:9 (get)");
}

TEST(IRootTarget, BeginsWithThePassThatWasSeen) {
  analysis::iroot::Candidate candidate;
  candidate.occurrences = {3, 1, 2, 4};
  const finding::Target any = TargetOf(kTwo, kFacts);
  EXPECT_EQ(any.steps[0].occurrence, finding::kAnyOccurrence);
  const finding::Target seen = TargetOf(kTwo, kFacts, candidate);
  EXPECT_EQ(seen.steps[0].occurrence, 3u);
  EXPECT_EQ(seen.steps[1].occurrence, finding::kAnyOccurrence);
}

TEST(Memo, AtomicAccessesAreMeantToMeetWithoutALock) {
  const Candidate plain = {.unlocked = true};
  const Candidate atomic = {.unlocked = true, .atomic = true};
  EXPECT_GT(SuspicionOf(kOne, plain), SuspicionOf(kOne, atomic));
  EXPECT_GT(SuspicionOf(kOne, atomic), SuspicionOf(kOne, {}));
}

TEST(Memo, WhatMayReadANullPointerComesFirst) {
  EXPECT_GT(SuspicionOf(kTwo, {.severe = true}), SuspicionOf(kTwo, {}));
  EXPECT_GT(SuspicionOf(kTwo, {.unlocked = true}),
            SuspicionOf(kTwo, {.severe = true}));
}

// An execution that was watched, and showed `seen`.
class Saw : public Observed {
 public:
  explicit Saw(IRootsSeen seen) {
    seen.facts = &kFacts;
    own_.Give<IRootWatch>(std::move(seen));
    watched = &own_;
  }

 private:
  Watched own_;
};

TEST(MaplePlanner, ProfilesUntilThreeExecutionsBringNothingNew) {
  Memo memo;
  MaplePlanner planner(memo, {}, nullptr);
  const IRootsSeen first = Predicts({kOne});
  const IRootsSeen second = Predicts({kOne, kOther});
  const IRootsSeen* shown[] = {&first, &second, &second, &second, &second};
  for (const IRootsSeen* seen : shown) {
    const std::optional<Planned> planned = planner.Next();
    ASSERT_TRUE(planned);
    EXPECT_EQ(planned->strategy.id, sched::StrategyId::kPctLarge);
    EXPECT_EQ(planned->watch.HowOf<IRootsWanted>(IRootWatch::kId),
              IRootsWanted::kPredictedShared);
    planner.Learn(*planned, Saw(*seen));
  }
  const std::optional<Planned> forced = planner.Next();
  ASSERT_TRUE(forced);
  EXPECT_EQ(forced->strategy.id, sched::StrategyId::kDirector);
  EXPECT_EQ(forced->aim->sentence,
            "write at a.c:3 (set), then read at a.c:9 (get)");
  EXPECT_EQ(planner.num_profiled(), 5u);
}

TEST(MaplePlanner, ProfilesAgainWhenSomethingElseIsExposed) {
  Memo memo;
  memo.Learn(Predicts({kOne}), kFacts, 0);
  MaplePlanner planner(memo, {}, nullptr);
  const IRootsSeen nothing;
  const IRootsSeen surprise = Exposes({kOther});
  const IRootsSeen more = Predicts({kTwo});
  std::string parts;
  for (int i = 0; i < 10; ++i) {
    const std::optional<Planned> planned = planner.Next();
    ASSERT_TRUE(planned);
    const bool forced = !planned->target.empty();
    parts += forced ? 'f' : 'p';
    // The first forced one exposes it, the profile behind it predicts another.
    planner.Learn(*planned, Saw(parts == "pppf"    ? surprise
                                : parts == "pppfp" ? more
                                                   : nothing));
  }
  EXPECT_EQ(parts, "pppfppppff");
}

TEST(MaplePlanner, TriesComplementarySchedulesAndThenLateOnes) {
  Memo memo;
  memo.Learn(Predicts({kOne}), kFacts, 0);
  MaplePlanner planner(memo, {}, nullptr);
  const IRootsSeen nothing;
  std::vector<uint64_t> attempts;
  while (const std::optional<Planned> planned = planner.Next()) {
    if (planned->strategy.id == sched::StrategyId::kDirector) {
      attempts.push_back(planned->strategy.params[0] &
                         ~sched::DirectorStrategy::kArbitrates);
    }
    planner.Learn(*planned, Saw(nothing));
  }
  EXPECT_EQ(attempts, (std::vector<uint64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_TRUE(planner.exhausted());
}

// Thread 1 reads a flag that thread 2 writes, and comes to the write of kOne if
// it is set.
SeenEvent Touched(uint16_t tid, uint64_t anchor, bool writes,
                  uint64_t address) {
  SeenEvent event;
  event.tid = trace::Tid{tid};
  event.anchor = anchor;
  event.address = address;
  event.size = 4;
  event.operation =
      writes ? finding::Operation::kWrite : finding::Operation::kRead;
  event.reads = !writes;
  event.writes = writes;
  return event;
}

SeenPointer Execution(std::vector<SeenEvent> events) {
  SeenExecution seen;
  seen.events = std::move(events);
  return std::make_shared<SeenExecution>(std::move(seen));
}

TEST(MaplePlanner, DerivesWhatLeadsToAStepOfALateOne) {
  const SeenEvent flag_read = Touched(1, 0x11, false, 0x1000);
  const SeenEvent flag_write = Touched(2, 0x12, true, 0x1000);
  const SeenEvent step = Touched(1, 0x1, true, 0x2000);
  const SeenEvent other = Touched(2, 0x2, false, 0x2000);
  Memo memo;
  memo.Learn(Predicts({kOne, kTwo}), kFacts, 0);
  MaplePlanner planner(memo, {}, nullptr);
  std::string late;  // which iRoot, and whether it has preconditions
  bool first = true;
  while (const std::optional<Planned> planned = planner.Next()) {
    Saw saw(IRootsSeen{});
    const bool watched = planned->watch.Wants(AttemptObserver::kId);
    if (planned->target.empty()) {
      EXPECT_EQ(watched, std::exchange(first, false));
      if (watched) {
        saw.watched->Give<AttemptObserver>(
            Execution({other, flag_write, flag_read, step}));
      }
    } else if (watched) {
      const bool one = planned->aim->target.kind == "iroot-1";
      const uint32_t own = one ? 2 : 3;
      late += one ? '1' : '2';
      if (planned->target[0].num_steps > own) late += '+';
      saw.target.in_sight = one ? 0b10 : 0b111;
      saw.watched->Give<AttemptObserver>(
          Execution({flag_read, other, flag_write}));
    }
    planner.Learn(*planned, saw);
  }
  // One attempt shows that the step does not come; the next ones are about
  // what leads there.
  EXPECT_TRUE(late.contains("11+")) << late;
  EXPECT_FALSE(late.contains("2+")) << late;
}

TEST(MaplePlanner, ProfilesAKnownProgramLessIfTheFirstExecutionIsQuiet) {
  const IRootsSeen nothing;
  for (const bool known : {false, true}) {
    for (const bool quiet : {false, true}) {
      Memo memo;
      if (known) memo.Learn(Exposes({kOther}), kFacts, 0);
      MaplePlanner planner(memo, {}, nullptr);
      // What the campaign does.
      memo.Learn(quiet ? Exposes({kTwo}) : Predicts({kOne}), kFacts, 0);
      while (const std::optional<Planned> planned = planner.Next()) {
        planner.Learn(*planned, Saw(nothing));
      }
      EXPECT_EQ(planner.num_profiled(), known && quiet ? 2u : 3u);
    }
  }
}

TEST(MaplePlanner, CanEndWithoutLateOnes) {
  Memo memo;
  memo.Learn(Predicts({kOne}), kFacts, 0);
  MaplePlanner planner(memo, {.late = false}, nullptr);
  const IRootsSeen nothing;
  while (const std::optional<Planned> planned = planner.Next()) {
    planner.Learn(*planned, Saw(nothing));
  }
  EXPECT_EQ(planner.num_forced(), Memo::kAttemptsHere);
}

TEST(MaplePlanner, TakesOnlyTheObserversWordThatAnIRootWasExposed) {
  Memo memo;
  memo.Learn(Predicts({kOne, kDeadlock}), kFacts, 0);
  MaplePlanner planner(memo, {}, nullptr);
  const IRootsSeen nothing;
  Saw done(nothing);
  done.target.success = 1;
  while (const std::optional<Planned> planned = planner.Next()) {
    planner.Learn(*planned, done);
  }
  for (const MemoEntry& entry : memo.entries()) {
    EXPECT_EQ(entry.exposed(), entry.root.is_deadlock());
  }
}

TEST(MaplePlanner, WaitsForTheOutsideOnlyWhereItMatters) {
  for (const bool outside : {false, true}) {
    Memo memo;
    IRootsSeen seen = Predicts({kOne});
    seen.predicted[0].second.after_outside = outside;
    memo.Learn(seen, kFacts, 0);
    MaplePlanner planner(memo, {}, nullptr);
    const IRootsSeen nothing;
    std::optional<Planned> planned = planner.Next();
    while (planned && planned->target.empty()) {
      planner.Learn(*planned, Saw(nothing));
      planned = planner.Next();
    }
    ASSERT_TRUE(planned);
    EXPECT_EQ(planned->target[0].inside_only, outside ? 0 : 1);
  }
}

TEST(MaplePlanner, LeavesTwoOfThreeTurnsToThePortfolio) {
  Memo memo;
  MaplePlanner planner(memo, {}, *MakePlanner("random", 1));
  const IRootsSeen nothing;
  std::string turns;
  for (int i = 0; i < 9; ++i) {
    const std::optional<Planned> planned = planner.Next();
    ASSERT_TRUE(planned);
    turns += planned->strategy.id == sched::StrategyId::kRandom ? 'o' : 'm';
    planner.Learn(*planned, Saw(nothing));
  }
  EXPECT_EQ(turns, "oomoomoom");
}

TEST(MaplePlanner, TakesFewerTurnsWhileForcingIsInVain) {
  Memo memo;
  IRootsSeen many;
  for (uint64_t i = 0; i < 40; ++i) {
    IRoot root = kOne;
    root.steps[0].place = 100 + i;
    many.predicted.push_back(Predicts({root}).predicted[0]);
  }
  memo.Learn(many, kFacts, 0);
  MaplePlanner planner(memo, {}, *MakePlanner("random", 1));
  const IRootsSeen nothing;
  std::string turns;
  for (int i = 0; i < 120; ++i) {
    const std::optional<Planned> planned = planner.Next();
    ASSERT_TRUE(planned);
    turns += planned->strategy.id == sched::StrategyId::kRandom ? 'o' : 'm';
    planner.Learn(*planned, Saw(nothing));
  }
  EXPECT_TRUE(turns.starts_with("oomoomoom")) << turns;
  EXPECT_TRUE(turns.contains("mooooomooooomooooom")) << turns;
}

TEST(MaplePlanner, BesideAPortfolioForcesBeforeAllIsProfiled) {
  Memo memo;
  MaplePlanner planner(memo, {}, *MakePlanner("random", 1));
  std::string turns;
  for (uint64_t i = 0; i < 18; ++i) {
    const std::optional<Planned> planned = planner.Next();
    ASSERT_TRUE(planned);
    if (planned->strategy.id != sched::StrategyId::kRandom) {
      turns += planned->target.empty() ? 'p' : 'f';
    }
    // Something new each time, so that profiling goes on.
    IRoot root = kOne;
    root.steps[0].place = 100 + i;
    const IRootsSeen seen = Predicts({root});
    planner.Learn(*planned, Saw(seen));
  }
  EXPECT_EQ(turns, "pfpfpf");
}

TEST(MaplePlanner, DoesNotRememberWhatAFailureExposed) {
  Memo memo;
  memo.Learn(Predicts({kOne}), kFacts, 0);
  MaplePlanner planner(memo, {}, nullptr);
  const IRootsSeen shown = Exposes({kOne});
  Saw failed(shown);
  failed.end = Observed::End::kFailed;
  while (const std::optional<Planned> planned = planner.Next()) {
    planner.Learn(*planned, failed);
  }
  EXPECT_EQ(memo.num_exposed(), 0u);
  EXPECT_EQ(memo.entries()[0].attempts, 0u);
}

}  // namespace
}  // namespace fairlead::explore
