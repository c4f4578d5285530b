#include "base/json.h"

#include <gtest/gtest.h>

namespace fairlead {
namespace {

std::string Refused(std::string_view text) {
  const Result<Json> value = ParseJson(text);
  return value ? "" : value.error().sentence();
}

TEST(Json, WhatIsNoJsonIsSaidWithItsPlace) {
  EXPECT_EQ(Refused("{\"a\": [1, {}]}"), "");
  EXPECT_EQ(Refused("{\n  \"a\": ]"), "2:8: this is not JSON");
  EXPECT_EQ(Refused("[1e999]"), "this is JSON with a number that is too large");
}

TEST(Json, ValuesInsideOfEachOtherHaveALimit) {
  const std::string deep(1'000'000, '[');
  EXPECT_EQ(Refused(deep),
            "this is JSON of more than 256 values inside of each other");
  EXPECT_EQ(Refused("\"" + deep + "\""), "");
  EXPECT_EQ(Refused("\"\\\"" + deep + "\""), "");
  const std::string wide =
      "[" + std::string(200, '[') + std::string(200, ']') + ",[]]";
  EXPECT_EQ(Refused(wide), "");
}

}  // namespace
}  // namespace fairlead
