// Outputs of threads that run one after the other, with runs that are made up.

#include "explore/judge/serial_references.h"

#include <gtest/gtest.h>

#include <vector>

#include "explore/judge/oracles.h"
#include "scripted_runner.h"

namespace fairlead::explore {
namespace {

using Answer = Result<std::optional<SerialReference>>;

class SerialReferencesTest : public testing::Test {
 protected:
  // Odd orders fail; others print their number.
  Answer Run(SerialOrder order) {
    const auto number = static_cast<uint64_t>(order);
    if (ran_.size() == most_) return Error(ErrorCode::kEnvironment).Say("full");
    ran_.push_back(number);
    if (number % 2 == 1) return std::optional<SerialReference>();
    return std::optional(SerialReference{std::to_string(number)});
  }

  std::vector<uint64_t> ran_;
  size_t most_ = 10000;
  SerialReferences references_{
      [this](SerialOrder order) { return Run(order); }};
};

TEST_F(SerialReferencesTest, RunsEachOrderOnceAndOnlyUntilItKnows) {
  EXPECT_TRUE(references_.GiveOutput("4", 2));
  EXPECT_EQ(ran_, (std::vector<uint64_t>{0, 1, 2, 3, 4}));
  EXPECT_TRUE(references_.GiveOutput("2", 2));
  EXPECT_FALSE(references_.GiveOutput("3", 2));  // it fails like this
  EXPECT_EQ(ran_.size(), DrawsFor(2));
  EXPECT_FALSE(references_.GiveOutput("other", 2));
  EXPECT_EQ(ran_.size(), DrawsFor(2));
}

TEST_F(SerialReferencesTest, TakesWhatOthersHaveRun) {
  EXPECT_TRUE(references_.empty());
  references_.Keep(SerialOrder::kOldestFirst, {"main first"});
  references_.Keep(SerialOrder{0}, {"drawn"});
  EXPECT_FALSE(references_.empty());
  EXPECT_TRUE(references_.GiveOutput("main first", 3));
  EXPECT_TRUE(ran_.empty());
  EXPECT_TRUE(references_.GiveOutput("2", 3));
  EXPECT_EQ(ran_, (std::vector<uint64_t>{1, 2}));
}

TEST_F(SerialReferencesTest, GiveWhatAnOracleWantsOfThem) {
  references_.Keep(SerialOrder::kOldestFirst, {"main first"});
  const auto is = [](const char* output) {
    return [output](const SerialReference& reference) {
      return reference.output == output;
    };
  };
  EXPECT_TRUE(references_.Give(is("main first"), 2));
  EXPECT_TRUE(ran_.empty());
  EXPECT_TRUE(references_.Give(is("4"), 2));
  EXPECT_EQ(ran_, (std::vector<uint64_t>{0, 1, 2, 3, 4}));
  EXPECT_FALSE(references_.Give(is("3"), 2));  // it fails like this
  EXPECT_FALSE(references_.Give(is("other"), 2));
  EXPECT_EQ(ran_.size(), DrawsFor(2));
  EXPECT_FALSE(references_.AReference().output.empty());
}

TEST(SerialReference, HoldsWhatIsNeeded) {
  const Result<ControlMemory> memory = ControlMemory::Create({}, {});
  ASSERT_TRUE(memory);
  Result<Captured> output = Captured::Create();
  ASSERT_TRUE(output);
  Finished finished;
  finished.output = &*output;
  for (const ReferenceNeeds& needs :
       {ReferenceNeeds{.output = true}, ReferenceNeeds{.state = true},
        ReferenceNeeds{.trace = true}}) {
    Watched watched;
    WatchReference(needs, watched);
    abi::Event record = {};
    record.kind = abi::EventKind::kYield;
    EXPECT_EQ(watched.observer() != nullptr, needs.state || needs.trace);
    if (watched.observer() != nullptr) {
      watched.observer()->OnRecords({&record, 1}, *memory);
    }
    const SerialReference reference = ReferenceOf(finished, watched);
    EXPECT_EQ(reference.state != nullptr, needs.state);
    ASSERT_EQ(reference.events != nullptr, needs.trace);
    if (needs.trace) EXPECT_EQ(reference.events->size(), 1u);
  }
}

TEST_F(SerialReferencesTest, AsksAgainForWhatCouldNotBeRun) {
  most_ = 1;
  EXPECT_FALSE(references_.GiveOutput("2", 2));
  EXPECT_EQ(ran_.size(), 1u);
  most_ = 10;
  EXPECT_TRUE(references_.GiveOutput("2", 2));
}

TEST(SerialOrder, IsDrawnMoreOftenWhereThereAreMore) {
  EXPECT_EQ(DrawsFor(1), 6u);
  EXPECT_EQ(DrawsFor(3), 36u);
  EXPECT_EQ(DrawsFor(5), 720u);
  EXPECT_EQ(DrawsFor(6), 2000u);
  EXPECT_EQ(DrawsFor(60000), 2000u);
}

TEST(SerialOrder, GivesEachNumberItsOwnSeed) {
  const SerialPlan first = PlanOf(SerialOrder{0}, 1);
  EXPECT_NE(PlanOf(SerialOrder{1}, 1).seed, first.seed);
  EXPECT_NE(PlanOf(SerialOrder{0}, 2).seed, first.seed);
  EXPECT_EQ(PlanOf(SerialOrder{0}, 1).seed, first.seed);
  EXPECT_EQ(first.strategy.params[0], 0u);
}

// What only serial references can tell is not asked of one; what does not count
// does not keep it from being one, unless it kept the program from its end.
TEST(Oracles, SayWhatCanBeAReference) {
  SerialReferences references([](SerialOrder) -> Answer {
    return Error(ErrorCode::kEnvironment).Say("nothing runs here");
  });
  references.Keep(SerialOrder{0}, {"right"});
  Oracles oracles({.same_output = true, .judge = "false"}, &references);
  Scripted scripted = ScriptedRunner::Ended();
  scripted.printed = "other";
  const auto finish = [&](ScriptedRunner& runner) {
    EXPECT_TRUE(runner.Start(0, {}));
    return **runner.Next(std::chrono::milliseconds(0));
  };
  ScriptedRunner runner(1, [&](uint64_t, const Task&) { return scripted; });
  Finished finished = finish(runner);
  EXPECT_EQ(oracles.Judge(finished).failure->kind, finding::Kind::kOutput);
  EXPECT_TRUE(oracles.CanBeReference(finished));

  scripted.outcome.misuse = abi::Misuse::kUnlockNotOwner;
  finished = finish(runner);
  EXPECT_FALSE(oracles.CanBeReference(finished));
  oracles.Silence(oracles.Judge(finished).failure->key);
  EXPECT_TRUE(oracles.CanBeReference(finished));

  scripted.outcome.misuse = abi::Misuse::kNone;
  scripted.outcome.status = abi::Status::kLivelock;
  finished = finish(runner);
  oracles.Silence(oracles.Judge(finished).failure->key);
  EXPECT_FALSE(oracles.CanBeReference(finished));

  scripted.outcome.status = abi::Status::kCut;
  EXPECT_FALSE(oracles.CanBeReference(finish(runner)));
}

}  // namespace
}  // namespace fairlead::explore
