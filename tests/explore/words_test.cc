// Words for what programs did, and for what they did it to.

#include <gtest/gtest.h>

#include "explore/names/crash_place.h"
#include "explore/names/object_names.h"

namespace fairlead::explore {
namespace {

TEST(CrashPlace, SaysWhatACallDoes) {
  constexpr const char* kCases[][2] = {
      {"pthread_mutex_unlock", "unlocks a mutex"},
      {"__pthread_mutex_unlock", "unlocks a mutex"},
      {"sem_post", "posts a semaphore"},
      {"free", "frees a block"},
      {"nanosleep", "calls nanosleep()"},
      {"", "makes a call"},
  };
  for (const auto& [function, words] : kCases) {
    EXPECT_EQ(WordsOfCall(function), words);
  }
}

TEST(CrashPlace, KnowsWhatNoProgramCalls) {
  EXPECT_TRUE(IsAccessHook("__fl_make_load4"));
  EXPECT_TRUE(IsAccessHook("_ZN8fairlead2rt11BeforeRangeEPKv"));
  EXPECT_FALSE(IsAccessHook("__pthread_mutex_unlock"));
  EXPECT_FALSE(IsAccessHook("free"));
  EXPECT_FALSE(IsAccessHook(""));
}

TEST(CrashPlace, SaysWhereAPointerLeads) {
  EXPECT_EQ(WordsOfPointer(0), "through a null pointer");
  EXPECT_EQ(WordsOfPointer(16), "through a null pointer");
  EXPECT_EQ(WordsOfPointer(0x12345678),
            "through a pointer to nowhere (0x12345678)");
}

TEST(ObjectNames, ReplaceAddressesThatTheyCover) {
  trace::Names names;
  names.objects[0x5000] = {.name = "heap#2", .size = 32};
  names.objects[0x7000] = {.name = "mutex#1", .size = 40};
  constexpr const char* kCases[][2] = {
      {"wait 0x7000, held by main", "wait mutex#1, held by main"},
      {"reads 0x5008 and 0x5000", "reads heap#2+8 and heap#2"},
      {"0x5020 is behind it", "0x5020 is behind it"},
      {"0x", "0x"},
      {"nothing", "nothing"},
  };
  for (const auto& [text, wanted] : kCases) {
    EXPECT_EQ(WithObjectNames(text, names), wanted);
  }
}

}  // namespace
}  // namespace fairlead::explore
