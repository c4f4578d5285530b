#include "fact/text.h"

#include <gmock/gmock.h>

namespace fairlead::fact {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Fact One(std::string_view line) {
  const Result<Document> document = ParseUntrusted(line);
  EXPECT_TRUE(document) << document.error().Text();
  EXPECT_EQ(document->entries.size(), 1u);
  return document->entries.front().fact;
}

TEST(FactText, ABareLineIsDeclaredAndAccepted) {
  const Fact fact = One("suppression race */stats.c");
  EXPECT_EQ(fact.key.kind, Kind::kSuppression);
  EXPECT_THAT(fact.key.subjects, ElementsAre("race", "*/stats.c"));
  EXPECT_EQ(fact.state, State::kAccepted);
  EXPECT_EQ(fact.origin, Origin::kDeclared);
  EXPECT_EQ(fact.reason, "");
}

TEST(FactText, BracketsAndColonSayTheRest) {
  const Fact fact =
      One("atomic-set C.size C.items [proposed, learnt from b/2 a/1] : always "
          "written together");
  EXPECT_THAT(fact.key.subjects, ElementsAre("C.items", "C.size"));
  EXPECT_EQ(fact.state, State::kProposed);
  EXPECT_EQ(fact.origin, Origin::kLearnt);
  EXPECT_THAT(fact.runs, ElementsAre("a/1", "b/2"));
  EXPECT_EQ(fact.reason, "always written together");
}

TEST(FactText, QuotesHoldAnything) {
  const Fact fact = One(R"(suppression * "a \"b\" [c], : \x01\n\\")");
  EXPECT_EQ(fact.key.subjects[1], "a \"b\" [c], : \x01\n\\");
  EXPECT_EQ(One(PrintFact(fact)), fact);
}

TEST(FactText, NamesOfCodeNeedNoQuotes) {
  EXPECT_THAT(One("unit Cache::Insert(int)const").key.subjects,
              ElementsAre("Cache::Insert(int)const"));
  EXPECT_THAT(One("benign @1f00 stats.c:12").key.subjects,
              ElementsAre("@1f00", "stats.c:12"));
}

// Each is refused at its place, with what to do.
TEST(FactText, MistakesHaveAPlace) {
  struct Case {
    std::string_view text, where, hint;
  };
  constexpr Case kCases[] = {
      {"# x\nsupression race a", "2:1: 'supression' is no kind of fact",
       "did you mean 'suppression'?"},
      {"nonsense a", "1:1: 'nonsense'", "begin the line with one of"},
      {"  unit", "1:3: unit needs 1 subject", "a function"},
      {"unit a b", "1:1: unit has 1 subject, and not 2", "a function"},
      {"atomic-set a a", "1:1: atomic-set needs at least 2", "fields"},
      {"suppression rase a", "1:1: 'rase' is no kind of finding", "pattern"},
      {"synchronisation lock f", "1:1: 'lock' is neither", "acquire"},
      {"unit \"a", "1:6: this quote is not closed", "end it with"},
      {"unit a\"b\"", "1:7: a quote inside a word", "whole word"},
      {"unit \"\\q\"", "1:7: this escape", "\\xNN"},
      {"unit \"\\x1\"", "1:7: this escape", "\\xNN"},
      {"unit a\x01", "1:7: a control character", "\\xNN"},
      {"unit a : b\x01", "1:11: a control character", "reason"},
      {"unit @xyz", "1:1: '@xyz' is no anchor", "unit"},
      {"unit \"\"", "1:1: a subject is empty", "unit"},
      {"unit a ]", "1:8: unexpected ']'", "quotes"},
      {"unit a [proposed", "1:8: this bracket is not closed", "]"},
      {"unit a [proposed,", "1:8: this bracket is not closed", "]"},
      {"unit a [maybe]", "1:9: 'maybe' is neither", "states are"},
      {"unit a []", "1:9: ']' is neither", "states are"},
      {"unit a [proposed inferred]", "1:18: unexpected 'inferred'", "comma"},
      {"unit a [proposed] b", "1:19: something follows", "colon"},
      {": why", "1:1: no fact before the colon", "kind"},
      {"unit a\n\nunit a : b", "3:1: this fact stands on line 1 already",
       "take one"},
  };
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.text);
    const Result<Document> document = ParseUntrusted(each.text);
    ASSERT_FALSE(document);
    EXPECT_THAT(document.error().sentence(), HasSubstr(each.where));
    EXPECT_THAT(document.error().hint(), HasSubstr(each.hint));
    EXPECT_EQ(document.error().code(), ErrorCode::kMalformed);
  }
}

TEST(FactText, CommentsStayWithTheirFactAndTheOrderIsStable) {
  const Result<Document> document = ParseUntrusted(
      "# of the team\n"
      "\n"
      "unit g\n"
      "# about f\n"
      "unit   f   [accepted]   :   why  \n"
      "\n"
      "# about races\n"
      "suppression race a.c\n"
      "# the end\n");
  ASSERT_TRUE(document);
  const std::string text = Print(*document);
  EXPECT_EQ(text,
            "# of the team\n"
            "\n"
            "# about races\n"
            "suppression race a.c\n"
            "# about f\n"
            "unit f : why\n"
            "unit g\n"
            "# the end\n");
  EXPECT_EQ(Print(*ParseUntrusted(text)), text);
}

TEST(FactText, AFirstCommentIsNoHeaderAfterPrinting) {
  const std::string text = Print(*ParseUntrusted("# about f\nunit f\n"));
  EXPECT_EQ(text, "\n# about f\nunit f\n");
  EXPECT_EQ(Print(*ParseUntrusted(text)), text);
}

TEST(FactText, EveryKindIsReadBack) {
  for (const KindEntry& entry : Kinds()) {
    SCOPED_TRACE(entry.word);
    Fact fact = {.key = {.kind = entry.kind, .subjects = {}},
                 .state = State::kRejected,
                 .origin = Origin::kInferred};
    if (entry.kind == Kind::kSuppression) fact.key.subjects = {"*"};
    if (entry.kind == Kind::kSynchronisation) fact.key.subjects = {"acquire"};
    if (entry.kind == Kind::kComponent) fact.key.subjects = {"log", "ignore"};
    if (entry.kind == Kind::kReply) fact.key.subjects = {"list *", "rows"};
    while (fact.key.subjects.size() < entry.least) {
      fact.key.subjects.push_back(
          fmt::format("s {}", fact.key.subjects.size()));
    }
    const Result<Fact> checked = Checked(fact);
    ASSERT_TRUE(checked) << checked.error().Text();
    EXPECT_EQ(One(PrintFact(*checked)), *checked);
  }
}

TEST(FactText, AReasonIsOneLine) {
  const Result<Fact> fact =
      Checked({.key = {Kind::kUnit, {"f"}}, .reason = " a\nunit g\x1b[2J "});
  ASSERT_TRUE(fact);
  EXPECT_EQ(One(PrintFact(*fact)), *fact);
}

}  // namespace
}  // namespace fairlead::fact
