// NormaliseLine decides which edits of a line an anchor survives.

#include "instrument/pass/source_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::pass {
namespace {

struct Case {
  const char* name;
  const char* line;
  const char* normalised;
};

constexpr Case kCases[] = {
    {"indentation", "\t    x = 1;", "x=1;"},
    {"blanks at the end", "x = 1;   \r", "x=1;"},
    {"blanks around operators", "x=a+b ;", "x=a+b;"},
    {"the same, spaced", "x = a + b;", "x=a+b;"},
    {"blanks between words stay", "unsigned   int  x;", "unsigned int x;"},
    {"words apart are not one", "return x;", "return x;"},
    {"comment behind", "x = 1;  // why", "x=1;"},
    {"comment alone", "  // nothing but this", ""},
    {"slashes in a string", "f(\"http://x\");  // url", "f(\"http://x\");"},
    {"quote in a string", "f(\"a\\\"//b\");", "f(\"a\\\"//b\");"},
    {"quote in a character", "c = '\"'; // quote", "c='\"';"},
    {"one slash", "x = a / b;", "x=a/b;"},
    {"block comment inside", "x = a /* the first */ + b;", "x=a+b;"},
    {"block comment between words", "int/**/x;", "int x;"},
    {"block comment to the end", "x = 1;  /* begins", "x=1;"},
    {"blanks inside a string stay", "f(\"a  b\");", "f(\"a  b\");"},
    {"digits with separators", "n = 1'000'000;  // million", "n=1'000'000;"},
    {"an odd number of separators", "n = 1'000;  // thousand", "n=1'000;"},
    {"a prefixed character", "c = L'/';  // slash", "c=L'/';"},
    {"empty", "", ""},
};

TEST(NormaliseLine, KeepsWhatTheCompilerReads) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(NormaliseLine(c.line), c.normalised);
  }
}

TEST(NormaliseLine, NormalisingAgainChangesNothing) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(NormaliseLine(c.normalised), c.normalised);
  }
}

}  // namespace
}  // namespace fairlead::pass
