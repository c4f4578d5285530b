#include "finding/target.h"
#include "finding/thread_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace fairlead::finding {
namespace {

using testing::HasSubstr;

constexpr char kRace[] =
    "fairlead target 1\n"
    "kind: race\n"
    "object x\n"
    "step 1 a: read x anchor=0x1f99 @app.c:31\n"
    "step 2 b: write x anchor=0x71a0 @app.c:52:7\n"
    "edge 1 -> 2 adjacent=object\n"
    "success order\n";

// Every part at least once.
constexpr char kEverything[] =
    "fairlead target 1\n"
    "kind: use-after-free\n"
    "object block\n"
    "object field inside-freed block\n"
    "object other other-field-of block\n"
    "object near overlaps field\n"
    "object m lock\n"
    "step 1 a: lock m anchor=0x10\n"
    "step 2 b: free block anchor=0x20 context=0xabc unit=u occurrence=first "
    "hold-at=0x10\n"
    "step 3 a: read field anchor=0x30 occurrence=3 value=nonzero phase=arrive\n"
    "step 4 a: rmw near\n"
    "step 5 c: wait anchor=0x50\n"
    "step 6 b: write other value=zero\n"
    "edge 1 -> 2 opens=m\n"
    "edge 2 -> 3 adjacent=own-thread\n"
    "edge 3 -> 4 adjacent=within:1000\n"
    "need 5 -> 1 soft\n"
    "need 6 -> 1\n"
    "success failure\n";

Target Parsed(std::string_view text) {
  Result<Target> target = ParseTargetUntrusted(text);
  EXPECT_TRUE(target.has_value()) << target.error().Text();
  return target ? *target : Target();
}

TEST(Target, PrintingAndParsingAreInverse) {
  for (const char* text : {kRace, kEverything}) {
    const Target target = Parsed(text);
    EXPECT_EQ(PrintTarget(target), text);
    const Result<Target> again = TargetFromJsonUntrusted(TargetJson(target));
    ASSERT_TRUE(again.has_value()) << again.error().Text();
    EXPECT_EQ(*again, target);
  }
}

TEST(Target, EveryWordMeansWhatItSays) {
  const Target target = Parsed(kEverything);
  EXPECT_EQ(target.objects[1].relation, Relation::kInsideFreed);
  EXPECT_EQ(target.objects[1].other, "block");
  EXPECT_EQ(target.steps[1].operation, Operation::kFree);
  EXPECT_EQ(target.steps[1].unit, "u");
  EXPECT_EQ(target.steps[1].occurrence, 1u);
  EXPECT_EQ(target.steps[1].hold_at, 0x10u);
  EXPECT_EQ(target.steps[2].value, ValueIs::kNonzero);
  EXPECT_EQ(target.steps[2].phase, Phase::kArrive);
  EXPECT_EQ(target.steps[3].occurrence, kAnyOccurrence);
  EXPECT_EQ(target.edges[0].opens, std::vector<std::string>{"m"});
  EXPECT_EQ(target.edges[2].within, 1000u);
  EXPECT_TRUE(target.edges[3].precondition);
  EXPECT_EQ(target.edges[3].strength, Strength::kSoft);
  EXPECT_EQ(target.edges[4].strength, Strength::kHard);
  EXPECT_EQ(target.success, Success::kFailure);
}

// Where in the text, and what is said.
struct Refused {
  const char* name;
  const char* text;
  const char* message;
};

constexpr char kStart[] = "fairlead target 1\nobject x\nobject m lock\n";

const Refused kRefused[] = {
    {"empty", "", "no target"},
    {"other file", "fairlead schedule 1\n", "1:10: "},
    {"newer", "fairlead target 2\n", "format 2"},
    {"line", "fairlead target 1\nhello\n", "2:1: no line of a target"},
    {"relation", "fairlead target 1\nobject x near y\n",
     "2:10: no relation of objects: 'near'"},
    {"undeclared relation", "fairlead target 1\nobject x overlaps y\n",
     "'y', which is not declared"},
    {"relation without other", "fairlead target 1\nobject x overlaps\n",
     "needs another object"},
    {"object twice", "fairlead target 1\nobject x\nobject x\n",
     "two objects are called 'x'"},
    {"step number", "+step 2 a: read x\n", "4:6: step 2 where 1"},
    {"thread", "+step 1 a read x\n", "4:8: 'a' is no role"},
    {"empty thread", "+step 1 : read x\n", "4:8: ':' is no role"},
    {"operation", "+step 1 a: jump x\n", "4:11: no operation: 'jump'"},
    {"no operation", "+step 1 a:\n", "4:"},
    {"object of step", "+step 1 a: read y\n", "'y', which is no object"},
    {"word of step", "+step 1 a: read x color=3\n", "4:18: 'color=3'"},
    {"anchor", "+step 1 a: read x anchor=zz\n", "4:18: 'anchor=zz'"},
    {"occurrence", "+step 1 a: read x occurrence=0\n", "4:18: "},
    {"two objects", "+step 1 a: read x m\n", "4:18: 'm'"},
    {"place", "+step 1 a: read x @\n", "4:18: '@'"},
    {"nothing to go by", "+step 1 a: read\n", "neither an object nor"},
    {"edge to nowhere", "+step 1 a: read x\nedge 1 -> 2\n",
     "edge 1 -> 2, but there are 1"},
    {"edge from zero", "+step 1 a: read x\nedge 0 -> 1\n", "5:6: steps count"},
    {"edge beyond all", "+step 1 a: read x\nedge 1 -> 99\n", "5:11: "},
    {"arrow", "+step 1 a: read x\nedge 1 > 1\n", "5:8: "},
    {"cycle", "+step 1 a: read x\nedge 1 -> 1\n", "cycle"},
    {"longer cycle",
     "+step 1 a: read x\nstep 2 b: read x\nedge 1 -> 2\nneed 2 -> 1\n",
     "cycle"},
    {"opens no lock",
     "+step 1 a: read x\nstep 2 b: read x\nedge 1 -> 2 opens=x\n",
     "'x' is no lock"},
    {"within",
     "+step 1 a: read x\nstep 2 b: read x\nedge 1 -> 2 adjacent=within:0\n",
     "6:13: "},
    {"bare within",
     "+step 1 a: read x\nstep 2 b: read x\nedge 1 -> 2 adjacent=within\n",
     "6:13: "},
    {"success", "+step 1 a: read x\nsuccess maybe\n", "5:9: no success"},
    {"no steps", "+", "without steps"},
};

TEST(Target, MalformedTextIsRefusedWithItsPlace) {
  for (const Refused& refused : kRefused) {
    SCOPED_TRACE(refused.name);
    std::string text = refused.text;
    if (text.starts_with('+')) text = kStart + text.substr(1);
    const Result<Target> target = ParseTargetUntrusted(text);
    ASSERT_FALSE(target.has_value());
    EXPECT_THAT(target.error().Text(), HasSubstr(refused.message));
  }
}

TEST(Target, MoreStepsThanThereAreBitsAreRefused) {
  std::string text = kStart;
  for (size_t i = 1; i <= kMaxSteps; ++i) {
    text += fmt::format("step {} a: read x\n", i);
  }
  EXPECT_TRUE(ParseTargetUntrusted(text).has_value());
  text += fmt::format("step {} a: read x\n", kMaxSteps + 1);
  EXPECT_FALSE(ParseTargetUntrusted(text).has_value());
}

TEST(Target, IdentityDoesNotDependOnNamesPlacesAndNumbering) {
  const Target target = Parsed(kRace);
  EXPECT_EQ(IdentityOf(target),
            IdentityOf(Parsed("fairlead target 1\n"
                              "kind: other\n"
                              "object counter\n"
                              "step 1 p: write counter anchor=0x71a0\n"
                              "step 2 q: read counter anchor=0x1f99 @b.c:1\n"
                              "edge 2 -> 1 adjacent=object\n"
                              "success order\n")));
  EXPECT_NE(IdentityOf(target), 0u);
}

TEST(Target, IdentityDependsOnWhatIsToHappen) {
  const uint64_t identity = IdentityOf(Parsed(kRace));
  const std::pair<std::string, std::string> kChanges[] = {
      {"0x1f99", "0x1f98"},
      {"read x", "write x"},
      {"1 -> 2", "2 -> 1"},
      {" adjacent=object", ""},
      {"2 b:", "2 a:"},
      {"2 b:", "2 main/1:"},
      {"2 b:", "2 main:"},
      {"success order", "success failure"},
      {"@app.c:31", "value=zero"},
      {"@app.c:31", "phase=arrive"},
      {"@app.c:31", "context=1"}};
  for (const auto& [from, to] : kChanges) {
    std::string text = kRace;
    text.replace(text.find(from), from.size(), to);
    EXPECT_NE(IdentityOf(Parsed(text)), identity) << to;
  }
}

// A role that is a path is that thread; others are only names.
TEST(Target, RolesThatArePaths) {
  EXPECT_TRUE(ThreadPathOf("main"));
  EXPECT_TRUE(ThreadPathOf("main/1/12"));
  EXPECT_NE(ThreadPathOf("main/1/2"), ThreadPathOf("main/2/1"));
  EXPECT_NE(ThreadPathOf("main/1"), ThreadPathOf("main/1/1"));
  for (const char* name : {"", "a", "mainly", "main/", "main/0", "main/x",
                           "main/70000", "x/1", "/main"}) {
    EXPECT_FALSE(ThreadPathOf(name)) << name;
  }
  std::string deep = "main";
  for (int i = 0; i < 40; ++i) deep += "/1";
  EXPECT_FALSE(ThreadPathOf(deep));
}

TEST(Target, DamagedTextNeverCrashes) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000; ++i) {
    std::string text = kEverything;
    for (int changes = 0; changes < 3; ++changes) {
      text[random() % text.size()] = static_cast<char>(random());
      if (random() % 4 == 0) text.erase(random() % text.size(), random() % 9);
    }
    const Result<Target> target = ParseTargetUntrusted(text);
    if (!target) continue;
    const Result<Target> again = ParseTargetUntrusted(PrintTarget(*target));
    ASSERT_TRUE(again.has_value()) << again.error().Text() << "\n" << text;
    EXPECT_EQ(*again, *target);
  }
}

TEST(Target, DamagedJsonNeverCrashes) {
  const Json whole = TargetJson(Parsed(kEverything));
  const Json kOdd[] = {nullptr, -1, 1.5, "x", Json::array(), Json::object()};
  for (const auto& [key, value] : whole.items()) {
    for (const Json& odd : kOdd) {
      Json json = whole;
      json[key] = odd;
      (void)TargetFromJsonUntrusted(json);
      if (!value.is_array()) continue;
      for (const auto& [member, unused] : value[0].items()) {
        json = whole;
        json[key][0][member] = odd;
        (void)TargetFromJsonUntrusted(json);
      }
    }
  }
}

}  // namespace
}  // namespace fairlead::finding
