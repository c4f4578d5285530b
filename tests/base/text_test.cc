// Tests of base/text.h, base/digest.h and base/json.h.

#include "base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/digest.h"
#include "base/json.h"

namespace fairlead {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Clipped, LongTextLosesItsEndAndSaysHowLongItWas) {
  EXPECT_EQ(Clipped("short", 5), "short");
  EXPECT_EQ(Clipped("longer", 5), "longe… (6 bytes)");
  EXPECT_EQ(Clipped("", 0), "");
  // Not in the middle of a character.
  EXPECT_EQ(Clipped("aä!", 2), "a… (4 bytes)");
}

TEST(Text, TrimTakesWhiteSpaceFromBothEnds) {
  EXPECT_EQ(Trim(" \ta b\n"), "a b");
  EXPECT_EQ(Trim(" \n "), "");
}

TEST(Text, SplitKeepsEmptyParts) {
  EXPECT_THAT(Split("a,,b", ','), ElementsAre("a", "", "b"));
  EXPECT_THAT(Split("", ','), ElementsAre(""));
}

TEST(Text, WordsAreNeverEmpty) {
  EXPECT_THAT(Words("  a  bc\t d "), ElementsAre("a", "bc", "d"));
  EXPECT_THAT(Words("  "), IsEmpty());
}

TEST(Text, ParseNumberTakesAllOrNothing) {
  constexpr struct {
    std::string_view text;
    std::optional<uint64_t> number;
  } kCases[] = {
      {"0", 0},     {"17", 17},
      {"0x1f", 31}, {"18446744073709551615", ~uint64_t{0}},
      {"", {}},     {"18446744073709551616", {}},
      {"-1", {}},   {"1 ", {}},
      {"0x", {}},   {"1x", {}},
  };
  for (const auto& [text, number] : kCases) {
    EXPECT_EQ(ParseNumber(text), number) << "'" << text << "'";
  }
}

TEST(Text, ShellQuoteLeavesPlainWordsAlone) {
  EXPECT_EQ(ShellQuote("./app"), "./app");
  EXPECT_EQ(ShellQuote("a b"), "'a b'");
  EXPECT_EQ(ShellQuote("it's"), "'it'\\''s'");
  EXPECT_EQ(ShellQuote(""), "''");
  // On one line, and nothing that a terminal obeys.
  EXPECT_EQ(ShellQuote("a\nb\x1b[0m'\\"), "$'a\\nb\\033[0m\\'\\\\'");
  const std::string argv[] = {"./app", "two words", "-x"};
  EXPECT_EQ(ShellCommand(argv), "./app 'two words' -x");
}

TEST(Text, EscapeRoundTrips) {
  std::string every;
  for (int c = 0; c < 256; ++c) every += static_cast<char>(c);
  for (const std::string& text :
       {std::string(), std::string("a b%c\n"), every}) {
    const std::string escaped = Escape(text);
    EXPECT_EQ(Words(escaped).size(), 1u);
    EXPECT_EQ(Unescape(escaped), text);
  }
  for (const std::string_view bad : {"", "%4", "a%", "%zz", "%%"}) {
    EXPECT_EQ(Unescape(bad), std::nullopt) << bad;
  }
}

TEST(Text, CountedKnowsThePlural) {
  EXPECT_EQ(Counted(1, "event"), "1 event");
  EXPECT_EQ(Counted(0, "event"), "0 events");
}

TEST(Digest, OfPiecesEqualsThatOfTheWhole) {
  Digester digester;
  digester.Add(std::as_bytes(std::span("ab", 2)));
  digester.Add(std::as_bytes(std::span("c", 1)));
  EXPECT_EQ(digester.Value(), DigestOf("abc"));
  EXPECT_NE(DigestOf("abc"), DigestOf("abd"));
}

TEST(JsonText, KeepsTheOrderOfKeys) {
  EXPECT_EQ(JsonText({{"b", 1}, {"a", 2}}), "{\n  \"b\": 1,\n  \"a\": 2\n}\n");
}

TEST(JsonText, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(JsonText(Json("\xff")), "\"\xef\xbf\xbd\"\n");
}

TEST(ParseJson, NamesLineAndColumn) {
  EXPECT_EQ(ParseJson("{\"a\": 1}").value()["a"], 1);
  EXPECT_EQ(ParseJson("{\n  x}").error().Text(), "2:3: this is not JSON");
}

}  // namespace
}  // namespace fairlead
