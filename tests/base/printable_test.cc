// Tests of base/printable.h.

#include "base/printable.h"

#include <gtest/gtest.h>

#include "base/json.h"

namespace fairlead {
namespace {

TEST(Printable, OrdinaryTextStaysAsItIs) {
  for (const char* text :
       {"", "plain", "two\nlines\n", "a\tb", "gr\u00fc\u00df", "\u65e5\u672c",
        "\U0001f600", "\\x1b"}) {
    EXPECT_EQ(Printable(text), text);
  }
}

TEST(Printable, WhatATerminalObeysIsShown) {
  EXPECT_EQ(Printable("\x1b[2J"), "\\x1b[2J");
  EXPECT_EQ(Printable("\x1b]0;T\a"), "\\x1b]0;T\\x07");
  EXPECT_EQ(Printable("a\rb\b\x7f"), "a\\x0db\\x08\\x7f");
  EXPECT_EQ(Printable(std::string_view("\0", 1)), "\\x00");
}

TEST(Printable, SoAreControlCharactersOfEightBits) {
  EXPECT_EQ(Printable("\xc2\x9b"
                      "31m"),
            "\\xc2\\x9b31m");
  EXPECT_EQ(Printable("\x9b"
                      "31m"),
            "\\x9b31m");
}

TEST(Printable, SoAreBytesThatAreNoCharacters) {
  EXPECT_EQ(Printable("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(Printable("a\xc3"), "a\\xc3");         // cut off
  EXPECT_EQ(Printable("\xc0\xaf"), "\\xc0\\xaf");  // longer than needed
  EXPECT_EQ(Printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(Printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(Printable, SoAreMarksThatTurnTheDirection) {
  EXPECT_EQ(Printable("a\u202e b"), "a\\xe2\\x80\\xae b");
}

TEST(Printable, ALineHasOneLine) {
  EXPECT_EQ(PrintableLine("a\nb\tc"), "a\\x0ab\\x09c");
}

TEST(Printable, JsonStaysJsonAndMeansTheSame) {
  const std::string evil = "\x1b[2J\u009b\x7f\u202e\n";
  const std::string shown = PrintableJson(JsonText(Json{{"a", evil}}));
  for (const char c : shown) {
    EXPECT_TRUE(c == '\n' || (c >= ' ' && c < 0x7f)) << shown;
  }
  EXPECT_EQ(ParseJson(shown).value()["a"], evil);
}

}  // namespace
}  // namespace fairlead
