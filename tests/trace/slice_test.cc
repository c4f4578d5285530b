// Selecting events of a trace.

#include "trace/slice.h"

#include <gtest/gtest.h>

#include "trace/text.h"

namespace fairlead::trace {
namespace {

constexpr char kText[] = R"(
main: fork a
main: write x          @a.c:1
a:    lock m
a:    write x+4 size=4 @a.c:2
a:    unlock m
main: join a
)";

std::string Kept(const SelectionText& text) {
  const Trace trace = ParseTrace(kText);
  const Result<Selection> selection = ParseSelection(text, trace.names);
  if (!selection) return selection.error().Text();
  std::string kept;
  for (const Event& event : trace.events) {
    if (selection->Keeps(event)) kept += std::to_string(event.seq);
  }
  return kept;
}

TEST(Slice, KeepsWhatPassesEveryPart) {
  EXPECT_EQ(Kept({}), "012345");
  EXPECT_EQ(Kept({.events = "1..3"}), "123");
  EXPECT_EQ(Kept({.events = "4.."}), "45");
  EXPECT_EQ(Kept({.events = "..1"}), "01");
  EXPECT_EQ(Kept({.events = "2"}), "2");
  EXPECT_EQ(Kept({.threads = {"a"}}), "234");
  EXPECT_EQ(Kept({.kinds = {"write"}}), "13");
  EXPECT_EQ(Kept({.kinds = {"sync", "fork"}}), "024");
  EXPECT_EQ(Kept({.objects = {"x"}}), "13");
  EXPECT_EQ(Kept({.threads = {"a"}, .kinds = {"access"}}), "3");
}

TEST(Slice, RangesOfBytesOverlap) {
  // x is at 0x1000: the first write covers 0x1000..0x1007, the second
  // 0x1004..0x1007.
  EXPECT_EQ(Kept({.objects = {"0x1000..0x1003"}}), "1");
  EXPECT_EQ(Kept({.objects = {"0x1007"}}), "13");
  EXPECT_EQ(Kept({.objects = {"0x1008"}}), "");
}

TEST(Slice, RefusesWhatTheTraceDoesNotHave) {
  EXPECT_EQ(Kept({.events = "b"}), "no range of events (first..last): 'b'");
  EXPECT_EQ(Kept({.events = "3..1"}),
            "no range of events (first..last): "
            "'3..1'");
  EXPECT_EQ(Kept({.threads = {"z"}}), "the trace has no thread: 'z'");
  EXPECT_EQ(Kept({.kinds = {"jump"}}), "no kind or group of events: 'jump'");
  EXPECT_EQ(Kept({.objects = {"y"}}), "the trace has no object: 'y'");
}

TEST(Slice, KeepsTheNamesThatAreNeeded) {
  const Trace trace = ParseTrace(kText);
  const Names names = NamesFor({trace.events[3]}, trace.names);
  EXPECT_EQ(names.threads, trace.names.threads);
  EXPECT_EQ(names.sites.size(), 1u);
  EXPECT_EQ(names.objects.size(), 1u);
  EXPECT_EQ(names.ObjectText(trace.events[3].address), "x+4");
}

}  // namespace
}  // namespace fairlead::trace
