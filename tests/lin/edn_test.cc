#include "lin/edn.h"

#include <gtest/gtest.h>

#include <string>

namespace fairlead::lin {
namespace {

// All forms, as JSON in one line; or the error.
std::string Read(std::string_view text) {
  EdnReader reader(text);
  std::string all;
  for (;;) {
    const Result<std::optional<Json>> form = reader.Next();
    if (!form) return "! " + form.error().sentence();
    if (!form->has_value()) return all;
    all += (all.empty() ? "" : " ") + (*form)->dump();
  }
}

TEST(Edn, FormsBecomeJson) {
  const struct {
    const char* edn;
    const char* json;
  } kCases[] = {
      {"", ""},
      {"nil true false", "null true false"},
      {"1 -2 +3 4N 1.5 1e3", "1 -2 3 4 1.5 1000.0"},
      {R"("a\n\"b\"")", R"("a\n\"b\"")"},
      {":ok sym a/b", R"(":ok" "sym" "a/b")"},
      {"{:a 1, :b [1 2]}", R"({"a":1,"b":[1,2]})"},
      {"[{:a 1} {:a 2}]", R"({"a":1} {"a":2})"},
      {"({:a 1}\n {:a 2})", R"({"a":1} {"a":2})"},
      {"#knossos.op.Op{:a 1} #{1 2}", R"({"a":1} [1,2])"},
      {"; words\n1 #_ 2 3", "1 3"},
      {"{\"k\" \\a 3 4}", R"({"k":"a","3":4})"},
      {"##NaN", R"("NaN")"},
      {"99999999999999999999", "\"99999999999999999999\""},
  };
  for (const auto& c : kCases) EXPECT_EQ(Read(c.edn), c.json) << c.edn;
}

TEST(Edn, WhatIsWrongIsSaid) {
  EXPECT_EQ(Read("{:a 1"), "! line 1: a brace is not closed");
  EXPECT_EQ(Read("{:a}"), "! line 1: a key has no value");
  EXPECT_EQ(Read("1\n\"x"), "! line 2: a string is not closed");
  EXPECT_EQ(Read("[1 2"), "! line 1: the file ends inside of a vector");
  EXPECT_EQ(Read("[1] 2"), "! line 1: something follows the history");
  EXPECT_EQ(Read("{1 ]"), "! line 1: ']' where a value should be");
  EXPECT_EQ(Read("{:a " + std::string(100000, '[')),
            "! line 1: too many brackets inside of each other");
  std::string discards;
  for (int i = 0; i < 100000; ++i) discards += "#_ ";
  EXPECT_EQ(Read(discards), "! line 1: too many brackets inside of each other");
}

}  // namespace
}  // namespace fairlead::lin
