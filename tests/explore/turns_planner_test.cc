// Tests of explore/plan/turns_planner.h: the order of turns, as a word of `s`
// (the search) and `p` (a prediction). No program is run.

#include "explore/plan/turns_planner.h"

#include <gtest/gtest.h>

namespace fairlead::explore {
namespace {

std::vector<Foretold> Targets(size_t number) {
  std::vector<Foretold> targets(number);
  for (Foretold& each : targets) {
    each.target.steps.resize(2);
    each.target.steps[0].thread = "a";
    each.target.steps[1].thread = "b";
  }
  return targets;
}

// A search of `most` executions that checks that it learns what it planned.
class Search final : public Planner {
 public:
  explicit Search(uint64_t most) : most_(most) {}

  std::optional<Planned> Next() override {
    if (next_ == most_) return {};
    Planned planned;
    planned.number = next_++;
    planned.seed = 1000 + planned.number;
    return planned;
  }
  void Learn(const Planned& planned, const Observed&) override {
    EXPECT_EQ(planned.seed, 1000 + planned.number);
    ++learnt_;
  }
  bool exhausted() const override { return learnt_ == most_; }

  uint64_t learnt() const { return learnt_; }

 private:
  uint64_t most_;
  uint64_t next_ = 0;
  uint64_t learnt_ = 0;
};

// Runs one execution after the other, none of which fails.
std::string Turns(size_t num_targets, uint64_t num_searched) {
  TargetPlanner targets(Targets(num_targets), 1);
  Search search(num_searched);
  TurnsPlanner planner(targets, search);
  std::string word;
  while (const std::optional<Planned> planned = planner.Next()) {
    EXPECT_EQ(planned->number, word.size());
    word += planned->target.empty() ? 's' : 'p';
    planner.Learn(*planned, {});
  }
  EXPECT_TRUE(planner.exhausted());
  EXPECT_EQ(search.learnt(), num_searched);
  return word;
}

TEST(TurnsPlanner, AlternatesWhilePredictionsAreNew) {
  // Two targets with two attempts each.
  EXPECT_EQ(Turns(2, 8), "pspsspsspsss");
}

TEST(TurnsPlanner, EitherGoesOnAlone) {
  EXPECT_EQ(Turns(0, 3), "sss");
  EXPECT_EQ(Turns(2, 0), "pppp");
  EXPECT_EQ(Turns(2, 1), "psppp");
}

TEST(TurnsPlanner, SeveralMayBeUnderWay) {
  TargetPlanner targets(Targets(1), 1);
  Search search(10);
  TurnsPlanner planner(targets, search);
  std::vector<Planned> under_way;
  for (int i = 0; i < 6; ++i) under_way.push_back(*planner.Next());
  // Learnt in another order than they were begun.
  for (; !under_way.empty(); under_way.pop_back()) {
    planner.Learn(under_way.back(), {});
  }
  EXPECT_EQ(search.learnt(), 5);
}

}  // namespace
}  // namespace fairlead::explore
