#include "finding/same_cause.h"

#include <gtest/gtest.h>

#include "trace/text.h"

namespace fairlead::finding {
namespace {

Finding UsedAfterFree(const char* slice) {
  Finding finding;
  finding.kind = Kind::kUseAfterFree;
  finding.witness.slice = trace::ParseTrace(slice);
  return finding;
}

TEST(SameCause, UsesOfWhatOneFunctionFreedAreOne) {
  constexpr char kNames[] =
      "site 1 call Close queue.cc:3\n"
      "site 2 call Shrink queue.cc:9\n"
      "site 3 call Close queue.cc:4\n"
      "object lock 0x5000 40\n"
      "object list 0x6000 16\n";
  const auto with = [&](const char* events) {
    return UsedAfterFree((std::string(kNames) + events).c_str());
  };
  const Finding first =
      with("a: free lock value=40 site=1\nb: misuse lock+8 value=17\n");
  const Finding second =
      with("a: free list value=16 site=3\nb: misuse list value=17\n");
  const Finding other =
      with("a: free list value=16 site=2\nb: misuse list value=17\n");
  const Finding unknown = with("b: misuse list value=17\n");
  EXPECT_TRUE(HaveOneCause(first, second));
  EXPECT_FALSE(HaveOneCause(first, other));
  EXPECT_FALSE(HaveOneCause(unknown, unknown));
}

TEST(SameCause, ARaceWithTheFreeIsTheUseAfterIt) {
  constexpr char kNames[] =
      "site 1 call Close queue.cc:3\n"
      "site 2 call Shrink queue.cc:9\n"
      "site 3 call Put queue.cc:20\n"
      "object list 0x6000 16\n";
  const Finding use =
      UsedAfterFree((std::string(kNames) +
                     "a: free list value=16 site=1\nb: misuse list value=17\n")
                        .c_str());
  const auto race = [&](const char* free, uint32_t line) {
    Finding finding = UsedAfterFree(
        (std::string(kNames) + "b: write list site=3\n" + free).c_str());
    finding.kind = Kind::kRace;
    finding.sites = {{.function = "Put", .place = {"queue.cc", 20, 0}},
                     {.function = "F", .place = {"queue.cc", line, 0}}};
    return finding;
  };
  EXPECT_TRUE(HaveOneCause(use, race("a: free list value=16 site=1\n", 3)));
  EXPECT_FALSE(HaveOneCause(use, race("a: free list value=16 site=2\n", 9)));
  // Freed there, but that is not what the race is about.
  EXPECT_FALSE(HaveOneCause(use, race("a: free list value=16 site=1\n", 30)));
}

TEST(SameCause, ARaceWithAFreeOfALibraryIsTheUseAfterIt) {
  constexpr char kNames[] =
      "site 1 call ~unique_ptr unique_ptr.h:396 library\n"
      "object logger 0x6000 16\n";
  Finding use = UsedAfterFree(
      (std::string(kNames) +
       "a: free logger value=16 site=1\nb: misuse logger value=17\n")
          .c_str());
  use.sites = {{.function = "Log", .place = {"log.cc", 7, 0}}};
  const auto race = [&](uint32_t used, uint32_t freed) {
    Finding finding;
    finding.kind = Kind::kRace;
    finding.sites = {
        {.function = "Log", .place = {"log.cc", used, 0}},
        {.function = "~unique_ptr", .place = {"unique_ptr.h", freed, 0}}};
    return finding;
  };
  EXPECT_TRUE(HaveOneCause(use, race(7, 396)));
  EXPECT_FALSE(HaveOneCause(use, race(9, 396)));
  EXPECT_FALSE(HaveOneCause(use, race(7, 397)));
}

Finding Waiting(Kind kind, std::vector<const char*> functions) {
  Finding finding;
  finding.kind = kind;
  for (const char* function : functions) {
    finding.sites.push_back({.function = function});
  }
  return finding;
}

TEST(SameCause, WhoElseWaitsMakesNoOtherLostWakeUp) {
  const Finding both = Waiting(Kind::kLostWakeup, {"Put", "Take"});
  EXPECT_TRUE(HaveOneCause(both, Waiting(Kind::kLostWakeup, {"Put"})));
  EXPECT_TRUE(HaveOneCause(Waiting(Kind::kLostWakeup, {"Take"}), both));
  EXPECT_FALSE(HaveOneCause(Waiting(Kind::kLostWakeup, {"Take"}),
                            Waiting(Kind::kLostWakeup, {"Put"})));
  EXPECT_FALSE(HaveOneCause(both, Waiting(Kind::kLostWakeup, {})));
  // A cycle is what it is.
  EXPECT_FALSE(HaveOneCause(Waiting(Kind::kDeadlock, {"Put"}),
                            Waiting(Kind::kDeadlock, {"Put", "Take"})));
}

}  // namespace
}  // namespace fairlead::finding
