#include "finding/slice_for.h"

#include <gmock/gmock.h>

#include "finding/slice_aba.h"
#include "finding/slice_index.h"
#include "trace/text.h"

namespace fairlead::finding {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::Not;

std::vector<uint64_t> Steps(const trace::Trace& trace) {
  std::vector<uint64_t> steps;
  for (const trace::Event& event : trace.events) steps.push_back(event.seq);
  return steps;
}

TEST(SliceFor, ALostUpdateIsItsFourAccessesAndWhoSawIt) {
  const trace::Trace whole = trace::ParseTrace(
      "main: write other\n"     // 0: nobody else's
      "a: read balance\n"       // 1
      "b: read balance\n"       // 2
      "b: write balance\n"      // 3
      "a: read private\n"       // 4
      "a: write private\n"      // 5
      "a: write balance\n"      // 6
      "main: read balance\n"    // 7
      "main: exit value=1\n");  // 8
  EXPECT_THAT(Steps(SliceFor(whole, {})), ElementsAre(1, 2, 3, 6, 7, 8));
}

TEST(SliceFor, TheFreeingOfWhatIsUsedLaterIsShown) {
  const trace::Trace whole = trace::ParseTrace(
      "object block 0x5000 16\n"
      "main: alloc block value=16\n"  // 0
      "b: free block value=16\n"      // 1
      "a: read block+8 size=4\n"      // 2
      "a: misuse block+8 value=17\n"  // 3
      "main: exit\n");                // 4
  const trace::Trace slice =
      SliceFor(whole, {.at_fault = *whole.names.FindThread("a")});
  EXPECT_THAT(Steps(slice), ElementsAre(1, 2, 3, 4));
}

TEST(SliceFor, WhatIsWaitedForIsShown) {
  const trace::Trace whole = trace::ParseTrace(
      "a: lock m\n"
      "b: lock n\n"
      "c: lock k\n");
  const SliceOrder order = {
      .at_fault = trace::Tid::kMain,
      .waited_for = {whole.events[0].address, whole.events[1].address}};
  EXPECT_THAT(Steps(SliceFor(whole, order)), ElementsAre(0, 1));
}

TEST(SliceFor, AReaderMeetsTheWriterAcrossTheWritersOwnReads) {
  const trace::Trace whole = trace::ParseTrace(
      "b: write x\n"            // 0
      "b: read x\n"             // 1
      "main: read x\n"          // 2
      "main: read x\n"          // 3
      "main: exit value=1\n");  // 4
  EXPECT_THAT(Steps(SliceFor(whole, {})), ElementsAre(0, 2, 3, 4));
}

TEST(SliceFor, OfACallIntoALibraryOneAccessIsShown) {
  const trace::Trace whole = trace::ParseTrace(
      "site 1 call Work app.cc:3\n"
      "site 2 load pop_front stl_deque.h:7 library\n"
      "site 3 call Start thread.h:9 library\n"
      "node 1 0 1\n"
      "node 2 0 3\n"
      "b: read queue library site=2 node=1\n"       // 0
      "b: write queue library site=2 node=1\n"      // 1
      "b: write queue+8 library site=2 node=1\n"    // 2
      "main: read queue library site=2 node=1\n"    // 3
      "main: read queue+8 library site=2 node=1\n"  // 4
      "main: write own library site=2 node=2\n"     // 5
      "b: write own library site=2 node=2\n"        // 6
      "main: exit value=1\n");                      // 7
  // Steps 5 and 6 have nothing to do with the application.
  EXPECT_THAT(Steps(SliceFor(whole, {})), ElementsAre(2, 4, 7));
}

TEST(SliceFor, KeepsNoMoreThanWasAskedFor) {
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += i % 2 == 0 ? "a: write x\n" : "b: write x\n";
  text += "main: exit value=1\n";
  SliceOrder order;
  order.max_events = 4;
  EXPECT_THAT(Steps(SliceFor(trace::ParseTrace(text), order)),
              ElementsAre(97, 98, 99, 100));
}

TEST(SliceFor, OfOneObjectTheLastMeetingsAreEnough) {
  std::string text;
  for (int i = 0; i < 100; ++i) {
    text += i % 2 == 0 ? "a: write x\n" : "main: write x\n";
  }
  text += "main: exit value=1\n";
  EXPECT_LE(SliceFor(trace::ParseTrace(text), {}).events.size(), 8u);
}

// The access that fails may be a library's, and other misuses may follow; what
// freed the block need not be among the last things that were done.
TEST(SliceFor, WhatTheFailureIsAboutIsShownWithItsFreeingAndFirstUse) {
  std::string text =
      "site 1 call Work app.cc:3\n"
      "site 2 load size basic_string.h:7 library\n"
      "node 1 0 1\n"
      "object block 0x5000 16\n"
      "main: alloc block value=16\n"                        // 0
      "main: free block value=16\n"                         // 1
      "main: alloc block value=16\n"                        // 2
      "b: free block value=16\n"                            // 3
      "a: read block+8 size=8 library site=2 node=1\n"      // 4
      "a: misuse block+8 value=17\n"                        // 5
      "a: read block size=8 library site=2 node=1\n"        // 6
      "a: misuse block value=17\n";                         // 7
  for (int i = 0; i < 40; ++i) text += "a: write other\n";  // 8 to 47
  text += "main: exit value=0\n";                           // 48
  const trace::Trace whole = trace::ParseTrace(text);
  const SliceOrder order = {.at_fault = *whole.names.FindThread("a"),
                            .touched = {0x5008}};
  EXPECT_THAT(
      Steps(SliceFor(whole, order)),
      AllOf(IsSupersetOf({3, 4, 5, 48}), Not(Contains(1)), Not(Contains(7))));
}

TEST(SliceFor, ARangeIsMetByWhatIsWrittenInsideIt) {
  const trace::Trace whole = trace::ParseTrace(
      "object text 0x5000 64\n"
      "b: write text+32 size=4\n"    // 0
      "b: write unrelated size=4\n"  // 1
      "main: read text size=64\n"    // 2
      "main: exit value=1\n");       // 3
  EXPECT_THAT(Steps(SliceFor(whole, {})), ElementsAre(0, 2, 3));
}

// The one that ends a server has nothing to do with what went wrong in it.
TEST(SliceFor, OfAWrongResultTheLostUpdatesAreShown) {
  std::string text =
      "a: read hits\n"    // 0
      "b: read hits\n"    // 1
      "b: write hits\n"   // 2
      "a: write hits\n";  // 3
  for (int i = 0; i < 60; ++i) {
    text += i % 2 == 0 ? "main: write queue\n" : "a: read queue\n";
  }
  text += "main: exit value=0\n";
  const trace::Trace whole = trace::ParseTrace(text);
  EXPECT_THAT(Steps(SliceFor(whole, {.result_is_wrong = true})),
              IsSupersetOf({0, 1, 2, 3}));
}

TEST(SliceFor, WhatAThreadFindsPreparedIsLeftOut) {
  const trace::Trace whole = trace::ParseTrace(
      "thread 0 main\n"
      "thread 1 main/1\n"
      "main: write x\n"         // 0
      "main: fork main/1\n"     // 1
      "main/1: read x\n"        // 2
      "main/1: write y\n"       // 3
      "main: read y\n"          // 4
      "main: exit value=1\n");  // 5
  EXPECT_THAT(Steps(SliceFor(whole, {})),
              AllOf(Contains(3), Contains(4), Not(Contains(2))));
}

TEST(SliceFor, AWaitThatEndsByItsTimeIsShown) {
  std::string text = "a: waited c timed-out\n";  // 0
  for (int i = 0; i < 60; ++i) text += "main: write x\n";
  text += "main: exit value=1\n";
  EXPECT_THAT(Steps(SliceFor(trace::ParseTrace(text), {})), Contains(0));
}

// Of a condition variable: who waits for ever, and the last that woke anybody.
TEST(SliceFor, OfALostWakeUpTheOpenWaitsAndTheLastSignalsAreShown) {
  std::string text;
  for (int i = 0; i < 20; ++i) {
    text += "a: wait c\nb: signal c value=1\na: waited c\n";
  }
  text += "b: signal c value=0\na: wait c\n";  // 60, 61
  const trace::Trace whole = trace::ParseTrace(text);
  const SliceOrder order = {.at_fault = *whole.names.FindThread("a"),
                            .waited_for = {whole.events[0].address}};
  const std::vector<uint64_t> steps = Steps(SliceFor(whole, order));
  EXPECT_THAT(steps, AllOf(Contains(60), Contains(61)));
  EXPECT_LE(steps.size(), 8u);
}

// What a reader found in a pipe was put there by others.
TEST(SliceFor, WhoWroteToThePipeThatTheThreadAtFaultRead) {
  const trace::Trace whole = trace::ParseTrace(
      "main: open value=5\n"     // 0: both ends by one call
      "main: open value=6\n"     // 1
      "main: open value=7\n"     // 2
      "b: use value=7 writes\n"  // 3
      "a: use value=6 writes\n"  // 4
      "b: use value=6 writes\n"  // 5
      "c: use value=5 shared\n"  // 6
      "c: exit value=1\n");      // 7
  const trace::Trace slice = SliceFor(
      whole,
      {.at_fault = *whole.names.FindThread("c"), .result_is_wrong = true});
  EXPECT_THAT(Steps(slice), IsSupersetOf({4, 5, 6, 7}));
  EXPECT_THAT(Steps(slice), Not(Contains(3)));
}

TEST(SliceFor, WhoWroteLastWhereAThreadWaitsForDescriptors) {
  const trace::Trace whole = trace::ParseTrace(
      "main: open value=5\n"     // 0
      "a: use value=5 writes\n"  // 1
      "main: use value=4\n"      // 2
      "main: park\n");           // 3
  EXPECT_THAT(Steps(SliceFor(whole, {.waited_for = {4 + 1}})),
              ElementsAre(1, 2));
}

// A test that goes on after its failure, and other tests behind it.
TEST(SliceFor, NothingBehindTheLineAtWhichATestFailed) {
  const trace::Trace whole = trace::ParseTrace(
      "site 1 store f shop_test.cc:10:1\n"
      "site 2 load f shop_test.cc:12:1\n"
      "site 3 store g shop_test.cc:20:1\n"
      "main/1: write stock site=1\n"  // 0
      "main: read stock site=2\n"     // 1
      "main/2: write stock site=3\n"  // 2
      "main: read stock site=3\n"     // 3
      "main: exit value=1\n");        // 4
  const SliceOrder order = {
      .result_is_wrong = true,
      .failed_at = {.file = "/home/me/shop_test.cc", .line = 12, .column = 0}};
  EXPECT_THAT(Steps(SliceFor(whole, order)), ElementsAre(0, 1));
}

TEST(SliceFor, LocksAroundWhatThreadsShareAreShown) {
  const trace::Trace whole = trace::ParseTrace(
      "a: lock m value=1\n"     // 0
      "a: read balance\n"       // 1
      "a: unlock m value=0\n"   // 2
      "b: lock m value=1\n"     // 3
      "b: read balance\n"       // 4
      "b: write balance\n"      // 5
      "b: unlock m value=0\n"   // 6
      "a: write balance\n"      // 7
      "main: read balance\n"    // 8
      "main: exit value=1\n");  // 9
  EXPECT_THAT(Steps(SliceFor(whole, {.result_is_wrong = true})),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
}

// Callbacks of ours that a library's threads run, and what they hand back to
// the library is nowhere to be seen.
TEST(SliceFor, ThreadsThatLookAtTheSameInTurnsWhereNothingElseIsSeen) {
  const trace::Trace whole = trace::ParseTrace(
      "main: write table\n"        // 0
      "main: fork a\n"             // 1
      "main: fork b\n"             // 2
      "a: read table site=1\n"     // 3
      "b: read table site=1\n"     // 4
      "a: read table site=2\n"     // 5
      "main: read table site=3\n"  // 6
      "main: exit value=1\n");     // 7
  EXPECT_THAT(Steps(SliceFor(whole, {.result_is_wrong = true})),
              IsSupersetOf({3, 4, 5, 7}));
}

// Later updates are in order, and hide it.
TEST(SliceFor, ALostUpdateBetweenLockedSectionsAheadOfLaterOnes) {
  std::string text =
      "a: lock m value=1\n"     // 0
      "a: read balance\n"       // 1
      "a: unlock m value=0\n"   // 2
      "b: lock m value=1\n"     // 3
      "b: read balance\n"       // 4
      "b: write balance\n"      // 5
      "b: unlock m value=0\n"   // 6
      "a: lock m value=1\n"     // 7
      "a: write balance\n"      // 8
      "a: unlock m value=0\n";  // 9
  for (int i = 0; i < 10; ++i) {
    const std::string who = i % 2 == 0 ? "b: " : "a: ";
    text += who + "lock m value=1\n" + who + "read balance\n" + who +
            "write balance\n" + who + "unlock m value=0\n";
  }
  text +=
      "main: read balance\n"    // 50
      "main: abort value=6\n";  // 51
  const trace::Trace slice = SliceFor(trace::ParseTrace(text), {});
  EXPECT_THAT(Steps(slice),
              IsSupersetOf({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 48, 50, 51}));
  EXPECT_LE(slice.events.size(), 16u);
}

TEST(SliceFor, ACheckThatWasOvertakenBeforeItsThreadActed) {
  const trace::Trace whole = trace::ParseTrace(
      "a: lock m value=1\n"       // 0
      "a: read left site=1\n"     // 1
      "a: unlock m value=0\n"     // 2
      "b: lock m value=1\n"       // 3
      "b: read left site=2\n"     // 4
      "b: write left site=3\n"    // 5
      "b: unlock m value=0\n"     // 6
      "a: lock m value=1\n"       // 7
      "a: read left site=2\n"     // 8
      "a: write left site=3\n"    // 9
      "a: unlock m value=0\n"     // 10
      "main: write report\n"      // 11
      "main: read left site=4\n"  // 12
      "main: abort value=6\n");   // 13
  EXPECT_THAT(Steps(SliceFor(whole, {})),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13));
}

// One that looks again at the same place waits for a change: no mistake.
TEST(SliceFor, AThreadThatWaitsForAChangeIsNotOvertaken) {
  const trace::Trace whole = trace::ParseTrace(
      "a: lock m value=1\n"
      "a: read ready site=1\n"
      "a: unlock m value=0\n"
      "b: write ready site=2\n"  // 3
      "a: lock m value=1\n"
      "a: read ready site=1\n"   // 5
      "a: write ready site=3\n"  // 6
      "a: unlock m value=0\n"
      "a: abort value=6\n");
  const SliceIndex index(whole);
  EXPECT_TRUE(index.Interruptions(By::kApplication).empty());
}

TEST(SliceFor, AnExchangeThatSucceedsBecauseAValueHasComeBack) {
  const trace::Trace whole = trace::ParseTrace(
      "a: load top value=0x5000 size=8\n"                    // 0
      "a: read first value=0x6000 size=8\n"                  // 1
      "b: cas top value=0x6000 old=0x5000 size=8 success\n"  // 2
      "b: cas top value=0x7000 old=0x6000 size=8 success\n"  // 3
      "b: write first value=0x7000 size=8\n"                 // 4
      "b: cas top value=0x5000 old=0x7000 size=8 success\n"  // 5
      "a: cas top value=0x6000 old=0x5000 size=8 success\n"  // 6
      "main: write other\n"                                  // 7
      "main: abort value=6\n");                              // 8
  EXPECT_THAT(Steps(SliceFor(whole, {})), ElementsAre(0, 1, 2, 3, 4, 5, 6, 8));
}

// A lock that is made of an exchange is free again as a rule.
TEST(SliceFor, AnExchangeThatWritesNothingThatWasReadIsNoAba) {
  const trace::Trace whole = trace::ParseTrace(
      "a: load lock value=0 size=4\n"
      "b: cas lock value=1 old=0 size=4 success\n"
      "b: store lock value=0 size=4\n"
      "a: cas lock value=1 old=0 size=4 success\n");
  EXPECT_FALSE(LatestAba(whole, SliceIndex(whole)));
}

// A handler comes between two steps of its own thread.
TEST(SliceFor, ASignalThatComesBetweenIsShownWithWhoSentIt) {
  const trace::Trace whole = trace::ParseTrace(
      "main: signal-sent value=10 site=1\n"             // 0
      "a: read count site=2\n"                          // 1
      "a: woken-by-kill cause=0 partner=main site=3\n"  // 2
      "a: signal-delivered value=10 site=3\n"           // 3
      "a: read count site=4\n"                          // 4
      "a: write count site=5\n"                         // 5
      "a: write count site=3\n"                         // 6
      "main: read count site=6\n"                       // 7
      "main: exit value=1\n");                          // 8
  EXPECT_THAT(Steps(SliceFor(whole, {.result_is_wrong = true})),
              ElementsAre(0, 1, 3, 4, 5, 6, 7, 8));
}

TEST(SliceFor, NothingBehindTheMisuseThatTheFailureIsAbout) {
  const trace::Trace whole = trace::ParseTrace(
      "object block 0x5000 16\n"
      "main: alloc block value=16\n"  // 0
      "b: free block value=16\n"      // 1
      "a: misuse block value=17\n"    // 2
      "a: read block size=8\n"        // 3
      "b: write shared\n"             // 4
      "a: read shared\n"              // 5
      "main: exit value=0\n");        // 6
  const SliceOrder order = {.at_fault = *whole.names.FindThread("a"),
                            .touched = {0x5000}};
  EXPECT_THAT(Steps(SliceFor(whole, order)), ElementsAre(1, 2, 3, 6));
}

// What one thread alone locks and keeps on its stack: a test framework's.
TEST(SliceFor, LocksAndTemporariesOfOneThreadAreLeftOut) {
  const trace::Trace whole = trace::ParseTrace(
      "main: stack 0x9000 value=4096\n"  // 0
      "b: write done\n"                  // 1
      "main: read done\n"                // 2
      "main: write 0x9010 value=1\n"     // 3
      "main: lock reporter value=1\n"    // 4
      "main: unlock reporter value=0\n"  // 5
      "main: abort value=6\n");          // 6
  EXPECT_THAT(Steps(SliceFor(whole, {})), ElementsAre(1, 2, 6));
}

}  // namespace
}  // namespace fairlead::finding
