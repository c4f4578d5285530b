// What is known across executions, of things that are not iRoots.

#include "explore/plan/knowledge.h"

#include <gtest/gtest.h>

#include <string>

namespace fairlead::explore {
namespace {

// A function, by name, and the longest that it was seen to take.
struct Call : Known {
  using Key = std::string;
  using Hash = std::hash<std::string>;

  explicit Call(const std::string& function) : name(function) {}
  const std::string& key() const { return name; }
  void Merge(const Call& other) { longest = std::max(longest, other.longest); }
  void TakePlaces(const PlaceFacts& places) {
    for (const auto& [anchor, fact] : places) {
      library = library || (fact.library && fact.function == name);
    }
  }

  std::string name;
  int longest = 0;
  bool library = false;
};

class Calls : public Knowledge<Call> {
 public:
  void Learn(const std::vector<std::string>& shown,
             const std::vector<std::string>& predicted = {}) {
    for (const std::string& name : shown) Show(EntryOf(name));
    for (const std::string& name : predicted) Predict(EntryOf(name));
    EndExecution(10);
  }
};

TEST(Knowledge, KnowsWhatWasShownAndWhatIsOpen) {
  Calls calls;
  calls.Learn({"f", "g"}, {"h"});
  calls.Learn({"f"}, {"h"});
  EXPECT_EQ(calls.num_executions(), 2u);
  EXPECT_EQ(calls.num_exposed(), 2u);
  EXPECT_EQ(calls.num_open(), 1u);
  EXPECT_EQ(calls.entries()[0].exposures, 2u);
  EXPECT_EQ(calls.growth(), (std::vector<Calls::Growth>{{1, 10, 2}}));
  calls.LearnAttempt(2, false);
  calls.LearnAttempt(2, false);
  EXPECT_EQ(calls.num_open(), 0u);  // it rests
  calls.BeginInput();
  calls.Learn({}, {"h"});
  EXPECT_EQ(calls.num_open(), 1u);
  calls.LearnAttempt(2, true);
  EXPECT_EQ(calls.num_exposed(), 3u);
  EXPECT_EQ(calls.growth().back(), (Calls::Growth{3, 30, 3}));
}

// Keys are over anchors, so that another one may be of another build.
TEST(Knowledge, MergesByKey) {
  Calls ours;
  ours.Learn({"f"}, {"g"});
  Calls theirs;
  theirs.AddPlaces({{7, {{"a.c", 3, 1}, "g", true, false}}});
  theirs.EntryOf("g").longest = 5;
  theirs.Learn({"f", "g"});
  ours.Merge(theirs);
  EXPECT_EQ(ours.num_exposed(), 2u);
  EXPECT_EQ(ours.entries()[0].exposures, 2u);
  EXPECT_EQ(ours.entries()[1].longest, 5);
  EXPECT_TRUE(ours.entries()[1].predicted);
  EXPECT_TRUE(ours.facts().contains(7));
  EXPECT_EQ(ours.growth().back(), (Calls::Growth{2, 20, 2}));
}

TEST(Knowledge, IsKeptAsWhatChanged) {
  Calls calls;
  calls.Learn({"f", "g"});
  std::vector<Call> kept = calls.TakeChanges();
  ASSERT_EQ(kept.size(), 2u);
  const std::vector<Calls::Growth> growth = calls.TakeGrowth();
  EXPECT_TRUE(calls.TakeChanges().empty());
  EXPECT_TRUE(calls.TakeGrowth().empty());

  Calls again;
  again.Restore(kept, {{1, {{"a.c", 3, 1}, "g", true, false}}}, growth);
  EXPECT_EQ(again.num_executions(), 1u);
  EXPECT_EQ(again.num_exposed(), 2u);
  EXPECT_TRUE(again.entries()[1].library);
  again.Learn({"g"});
  kept = again.TakeChanges();
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].exposures - kept[0].kept_exposures, 1u);
  // Nothing new, and how long that took.
  EXPECT_EQ(again.TakeGrowth(), (std::vector<Calls::Growth>{{2, 20, 2}}));
}

}  // namespace
}  // namespace fairlead::explore
