#include "finding/slice_for.h"

#include <gmock/gmock.h>

#include "trace/text.h"

namespace fairlead::finding {
namespace {

using testing::ElementsAre;

std::vector<uint64_t> Steps(const trace::Trace& trace) {
  std::vector<uint64_t> steps;
  for (const trace::Event& event : trace.events) steps.push_back(event.seq);
  return steps;
}

TEST(SliceFor, ALostUpdateIsItsFourAccessesAndWhoSawIt) {
  const trace::Trace whole = trace::ParseTrace(
      "main: write other\n"     // 0
      "a: read balance\n"       // 1
      "b: read balance\n"       // 2
      "b: write balance\n"      // 3
      "a: read private\n"       // 4
      "a: write private\n"      // 5
      "a: write balance\n"      // 6
      "main: read balance\n"    // 7
      "main: exit value=1\n");  // 8
  EXPECT_THAT(Steps(SliceFor(whole, {})), ElementsAre(0, 1, 2, 3, 6, 7, 8));
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
  order.max_events = 10;
  const trace::Trace slice = SliceFor(trace::ParseTrace(text), order);
  ASSERT_EQ(slice.events.size(), 10);
  EXPECT_EQ(slice.events.back().seq, 100);
  EXPECT_EQ(slice.events.front().seq, 91);
}

}  // namespace
}  // namespace fairlead::finding
