// Tests of instrument/cc/response_file.h.

#include "instrument/cc/response_file.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace fairlead::cc {
namespace {

using Words = std::vector<std::string>;

struct Case {
  std::string_view name;
  std::string_view text;
  std::string_view want;  // the arguments, each followed by `|`
};

constexpr Case kCases[] = {
    {"empty", "", ""},
    {"only white space", " \n\t\r\n", ""},
    {"words and lines", "-c a.c\n  -O2\t-g\n", "-c|a.c|-O2|-g|"},
    {"double quotes", "\"a b\" c", "a b|c|"},
    {"single quotes", "'a b' c", "a b|c|"},
    {"quotes inside a word", "-DX='a \"b'", "-DX=a \"b|"},
    {"an empty argument", "a '' b", "a||b|"},
    {"backslash", "a\\ b \\\"c\\\"", "a b|\"c\"|"},
    {"backslash in quotes", "\"a\\\"b\" 'c\\'d'", "a\"b|c'd|"},
    {"unterminated quote", "'a b", "a b|"},
    {"backslash at the end", "a\\", "a\\|"},
};

TEST(SplitResponse, FollowsTheGnuRules) {
  for (const Case& it : kCases) {
    SCOPED_TRACE(it.name);
    std::string got;
    for (const std::string& word : SplitResponse(it.text)) got += word + "|";
    EXPECT_EQ(got, it.want);
  }
}

TEST(ExpandResponses, StopsAtAFileThatIncludesItself) {
  const Words args = {"@loop"};
  const Words got = ExpandResponses(
      args, [](const std::string&) { return std::string("a @loop"); });
  EXPECT_EQ(got.front(), "a");
  EXPECT_EQ(got.back(), "@loop");
}

TEST(ExpandResponses, KeepsWhatCannotBeRead) {
  const Words args = {"@", "@gone", "a.c"};
  EXPECT_EQ(ExpandResponses(args,
                            [](const std::string&) {
                              return std::optional<std::string>();
                            }),
            args);
}

}  // namespace
}  // namespace fairlead::cc
