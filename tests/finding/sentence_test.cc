// Why it happens, as it is told: traces in text, and the sentence beside them.

#include "finding/sentence.h"

#include <gmock/gmock.h>

#include "trace/text.h"

namespace fairlead::finding {
namespace {

using testing::HasSubstr;

struct Told {
  Kind kind = Kind::kExit;
  SliceOrder order = {};
};

std::string Tell(std::string_view text, Told told = {}) {
  const trace::Trace whole = trace::ParseTrace(text);
  told.order.result_is_wrong = told.kind == Kind::kExit;
  return SentenceOf(told.kind, SliceWithStory(whole, told.order), whole,
                    told.order.stuck);
}

trace::Tid Thread(std::string_view text, std::string_view name) {
  return *trace::ParseTrace(text).names.FindThread(name);
}

// A lost update, with locks around its four accesses.
std::string LostUpdate(std::string_view a, std::string_view b) {
  const auto section = [](char who, std::string_view lock, const char* what) {
    std::string text;
    if (!lock.empty()) text += fmt::format("{}: lock {}\n", who, lock);
    text += what;
    return text;
  };
  std::string text = section('a', a, "a: read balance @bank.c:7\n");
  text += section('b', b,
                  "b: read balance @bank.c:7\nb: write balance @bank.c:8\n");
  if (!b.empty()) text += fmt::format("b: unlock {}\n", b);
  text += "a: write balance @bank.c:8\n";
  if (!a.empty()) text += fmt::format("a: unlock {}\n", a);
  return text + "main: read balance @bank.c:20\nmain: exit value=1\n";
}

TEST(Sentence, SaysWhichLockIsMissing) {
  EXPECT_EQ(Tell(LostUpdate("", "")),
            "lock missing: a reads balance at bank.c:7 and writes it at "
            "bank.c:8; in between b writes balance at bank.c:8, which is "
            "overwritten; no lock is held; one lock over both steps, and at "
            "the other, would forbid this");
  EXPECT_THAT(Tell(LostUpdate("m", "")),
              HasSubstr("a holds m, b holds no lock; holding m at bank.c:8 "
                        "would forbid this"));
  EXPECT_THAT(Tell(LostUpdate("", "m")),
              HasSubstr("b holds m, a holds no lock; holding m over both of "
                        "its steps would forbid this"));
}

TEST(Sentence, SaysWhichLockIsTheWrongOne) {
  const std::string text = Tell(LostUpdate("m", "n"));
  EXPECT_THAT(text, testing::StartsWith("wrong lock: "));
  EXPECT_THAT(text, HasSubstr("a holds m, b holds n; only one and the same"));
}

// A trace that one lock would have made impossible: locks of the program's own
// making, say. Nothing is better than something wrong.
TEST(Sentence, IsSilentWhereTheLocksContradictIt) {
  EXPECT_EQ(Tell(LostUpdate("m", "m")), "");
}

TEST(Sentence, NamesTheRegionThatIsSplit) {
  EXPECT_EQ(
      Tell("site 1 call Buy shop.cc:30\n"
           "site 2 call Buy shop.cc:31\n"
           "site 3 load Balance shop.cc:10\n"
           "site 4 load Withdraw shop.cc:15\n"
           "site 5 store Withdraw shop.cc:16\n"
           "node 1 0 1\n"
           "node 2 0 2\n"
           "a: lock m\n"
           "a: read money value=9 size=4 site=3 node=1\n"
           "a: unlock m\n"
           "b: lock m\n"
           "b: read money value=9 size=4 site=4 node=2\n"
           "b: write money value=1 size=4 site=5 node=2\n"
           "b: unlock m\n"
           "a: lock m\n"
           "a: read money value=1 size=4 site=4 node=2\n"
           "a: write money value=2 size=4 site=5 node=2\n"
           "a: unlock m\n"
           "main: read money value=2 size=4\n"
           "main: exit value=1\n"),
      "atomicity violation of Buy: what a reads in money = 9 at shop.cc:10 no "
      "longer holds when it writes money at shop.cc:16 (called by Buy at "
      "shop.cc:30 and line 31); in between b writes money at shop.cc:16; each "
      "step holds m, but a gives it up in between; holding it from the first "
      "step to the last would forbid this");
}

TEST(Sentence, OfWhatCameTooLate) {
  EXPECT_EQ(Tell("a: read session value=0 size=8 @t.c:28\n"
                 "a: fault\n"
                 "main: write session value=16 size=8 @t.c:52\n",
                 {.kind = Kind::kCrash,
                  .order = {.at_fault = Thread("a: yield\n", "a")}}),
            "order violation: a reads session = 0 at t.c:28 before main writes "
            "it at t.c:52; nothing makes a wait for that");
}

TEST(Sentence, OfAUseAfterFreeSaysWhereThePointerCameFrom) {
  const std::string_view text =
      "object block 0x5000 16\n"
      "main: alloc block value=16\n"
      "a: lock m\n"
      "a: read head value=0x5000 size=8 @l.c:3\n"
      "a: unlock m\n"
      "b: free block value=16 @l.c:9\n"
      "a: misuse block+8 value=17 @l.c:5\n"
      "a: read block+8 size=4 @l.c:5\n";
  EXPECT_EQ(
      Tell(text,
           {.kind = Kind::kUseAfterFree,
            .order = {.at_fault = Thread(text, "a"), .touched = {0x5008}}}),
      "use after free: a uses block at l.c:5 after b freed it at l.c:9; it had "
      "got the pointer at l.c:3 with m held, and gave that up; nothing makes b "
      "wait for a");
}

TEST(Sentence, OfADeadlockSaysWhoHoldsAndWantsWhat) {
  const std::string_view text =
      "object x 0x10 8\n"
      "object y 0x20 8\n"
      "a: lock x @d.c:1\n"
      "b: lock y @d.c:5\n";
  const trace::Tid a = Thread(text, "a"), b = Thread(text, "b");
  EXPECT_EQ(
      Tell(text, {.kind = Kind::kDeadlock,
                  .order = {.waited_for = {0x10, 0x20},
                            .stuck = {{.thread = a,
                                       .holder = b,
                                       .object = 0x20,
                                       .in_cycle = true,
                                       .where = {.place = {"d.c", 2, 0}}},
                                      {.thread = b,
                                       .holder = a,
                                       .object = 0x10,
                                       .in_cycle = true,
                                       .where = {.place = {"d.c", 6, 0}}}}}}),
      "deadlock: a holds x (taken at d.c:1) and wants y at d.c:2, b "
      "holds y (taken at d.c:5) and wants x at d.c:6; taking them in the "
      "same order everywhere would forbid this");
}

TEST(Sentence, OfAMissedSignalSaysWhatWasTested) {
  const std::string_view text =
      "object c 0x10 48\n"
      "site 1 load Wait w.c:4 flags=feeds-branch\n"
      "a: lock m\n"
      "a: read ready value=0 size=1 site=1\n"
      "b: write ready value=1 size=1 @w.c:9\n"
      "b: signal c value=0 @w.c:10\n"
      "a: wait c partner=a,m @w.c:4\n";
  EXPECT_EQ(
      Tell(text, {.kind = Kind::kLostWakeup, .order = {.waited_for = {0x10}}}),
      "lost wake-up: a tests ready = 0 at w.c:4, and b changes it at "
      "w.c:9, and its signal at w.c:10 finds nobody waiting, before a "
      "waits for c at w.c:4; holding m at w.c:9 would forbid this");
}

}  // namespace
}  // namespace fairlead::finding
