#include "fact/merge.h"

#include <gmock/gmock.h>

namespace fairlead::fact {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

Document Parse(std::string_view text) {
  const Result<Document> document = ParseUntrusted(text);
  EXPECT_TRUE(document) << document.error().Text();
  return *document;
}

// Ours, theirs, what becomes of them, and in how many they contradict.
TEST(FactMerge, ATableOfPairs) {
  struct Case {
    std::string_view ours, theirs, merged;
    size_t conflicts;
  };
  constexpr Case kCases[] = {
      {"unit f", "unit g", "unit f\nunit g\n", 0},
      {"unit f", "unit f", "unit f\n", 0},
      {"unit f [proposed, inferred]", "unit f : yes", "unit f : yes\n", 0},
      {"unit f : yes", "unit f [proposed, inferred] : perhaps",
       "unit f : yes\n", 0},
      {"unit f [rejected]", "unit f [proposed, learnt from a]",
       "unit f [rejected]\n", 0},
      {"unit f [rejected] : no", "unit f : yes", "unit f [rejected] : no\n", 1},
      {"unit f", "unit f [rejected] : no", "unit f\n", 1},
      {"unit f", "unit f [proposed] : perhaps", "unit f\n", 0},
      {"unit f", "unit f : known", "unit f : known\n", 0},
      {"unit f [inferred]", "unit f : said", "unit f : said\n", 0},
      {"unit f [learnt from a]", "unit f [learnt from b a]",
       "unit f [learnt from a b]\n", 0},
      {"unit f : mine", "unit f : yours", "unit f : mine\n", 0},
      {"# a\n\n# b\nunit f\n# z", "# c\n\n# b\n# d\nunit f",
       "# a\n# c\n\n# b\n# d\nunit f\n# z\n", 0},
  };
  for (const Case& each : kCases) {
    SCOPED_TRACE(fmt::format("{} | {}", each.ours, each.theirs));
    const MergedDocument merged = Merge(Parse(each.ours), Parse(each.theirs));
    EXPECT_EQ(Print(merged.document), each.merged);
    EXPECT_THAT(merged.conflicts, SizeIs(each.conflicts));
  }
}

TEST(FactMerge, IsTheSameTwice) {
  const std::vector<Fact> ours = FactsOf(Parse("unit f\nbenign a [proposed]"));
  const std::vector<Fact> theirs = FactsOf(Parse("benign a\nunit g"));
  const Merged once = Merge(ours, theirs);
  EXPECT_EQ(Merge(once.facts, theirs).facts, once.facts);
  EXPECT_EQ(Merge(once.facts, once.facts).facts, once.facts);
}

TEST(FactDiff, NamesWhatOneHasOrHasDifferently) {
  const std::vector<Fact> before = FactsOf(Parse("unit f\nunit g\nunit h"));
  const std::vector<Fact> after =
      FactsOf(Parse("unit g [rejected]\nunit h\nunit i"));
  const std::vector<Difference> differences = Diff(before, after);
  ASSERT_THAT(differences, SizeIs(3));
  EXPECT_FALSE(differences[0].after);
  EXPECT_EQ(differences[1].after->state, State::kRejected);
  EXPECT_FALSE(differences[2].before);
  EXPECT_THAT(Diff(before, before), IsEmpty());
}

TEST(FactId, NamesAKeyAndNothingElse) {
  Fact fact = Parse("unit f").entries[0].fact;
  const std::string id = IdOf(fact.key);
  EXPECT_THAT(id, SizeIs(8));
  fact.state = State::kRejected;
  EXPECT_EQ(IdOf(fact.key), id);
  EXPECT_NE(IdOf({Kind::kFilter, {"f"}}), id);
  EXPECT_NE(IdOf({Kind::kAtomicSet, {"a", "b"}}),
            IdOf({Kind::kAtomicSet, {"ab"}}));
}

}  // namespace
}  // namespace fairlead::fact
