// The text form of traces, both ways.

#include "trace/text.h"

#include <gtest/gtest.h>

#include "sched/rng.h"
#include "tests/trace/samples.h"
#include "trace/decode.h"
#include "trace/encode.h"
#include "trace/names_text.h"
#include "trace/program_tables.h"

namespace fairlead::trace {
namespace {

Names SampleNames() {
  Names names;
  names.threads[Tid{0}] = {.path = "main", .name = ""};
  names.threads[Tid{1}] = {.path = "main/1", .name = "a worker"};
  names.sites[2] = {.kind = abi::SiteKind::kStore,
                    .function = "operator new",
                    .place = {"dir/my file.c", 3, 9},
                    .id = 77,
                    .anchor = 78,
                    .library = true};
  names.sites[4] = {.kind = abi::SiteKind::kLoad, .function = "", .place = {}};
  names.callers[3] = {.module = 1,
                      .offset = 0x99,
                      .anchor = 5,
                      .function = "f",
                      .place = {"x.c", 4, 0}};
  names.nodes[6] = {.parent = 2, .site = 4};
  names.modules[1] = {.path = "/bin/a b",
                      .build_id = "00ff",
                      .base = 0x1000,
                      .size = 0x2000,
                      .program = true,
                      .instrumented = true};
  names.objects[0x4010] = {.name = "counter", .size = 4};
  names.objects[0x4020] = {.name = "shared", .size = 64};  // a flag's word
  return names;
}

TEST(TraceText, RoundTripsEveryKindThroughTextAndRecords) {
  Trace trace;
  trace.events = SampleEvents();
  trace.names = SampleNames();
  for (uint16_t i = 2; i < 5; ++i) {
    trace.names.threads[Tid{i}] = {.path = "t" + std::to_string(i), .name = ""};
  }
  trace.labels = {{"first", 0}, {"also first", 0}, {"w", 7}};
  trace.specs = {"register(initial 0)"};
  trace.expectations = {{"race", "none", 0}};
  const std::string text = PrintTrace(trace);
  Result<Trace> parsed = ParseTraceUntrusted(text);
  ASSERT_TRUE(parsed.has_value()) << parsed.error().Text();
  trace.expectations[0].line = parsed->expectations[0].line;
  ASSERT_EQ(parsed->events.size(), trace.events.size());
  for (size_t i = 0; i < trace.events.size(); ++i) {
    EXPECT_EQ(parsed->events[i], trace.events[i])
        << PrintEvent(trace.events[i], trace.names, nullptr) << "\n"
        << PrintEvent(parsed->events[i], parsed->names, nullptr);
  }
  EXPECT_EQ(*parsed, trace);
  EXPECT_EQ(PrintTrace(*parsed), text);
  EXPECT_EQ(DecodeUntrusted(Encode(parsed->events)).value(), trace.events);
}

TEST(TraceText, KeepsWhatTheCompilerKnows) {
  constexpr std::string_view kText =
      "type 0x2f Base 8 a.h:1 flags=class\n"
      "type 0x3a Account 24 a.h:3:1 flags=class,library\n"
      "field 0x3a next 8 8 type=0x2f flags=pointer\n"
      "field 0x3a % 16 4\n"
      "base 0x3a 0x2f 0 virtual\n"
      "function 7 Get _ZNK7Account3GetEv a.h:9 id=0x5 type=0x3a "
      "flags=this,const "
      "param=0:0x3a param=2\n"
      "site 3 load f a.c:4:2 id=0x1 anchor=0x2 library "
      "flags=pointer,feeds-branch size=8 type=0x3a offset=8 block=1 loop=2\n";
  const Result<Names> names = ParseNamesUntrusted(kText);
  ASSERT_TRUE(names.has_value()) << names.error().Text();
  EXPECT_EQ(PrintNames(*names), kText);
  EXPECT_TRUE(names->sites.at(3).has(abi::kSitePointer));
  EXPECT_EQ(names->types.at(0x3a).FieldAt(9)->name, "next");
  NamedTables tables(*names);
  Event event = {.flags = abi::kFlagInstrumented, .site = 3};
  EXPECT_EQ(tables.SiteOf(event).type, 0x3au);
  event.flags = 0;
  EXPECT_EQ(tables.SiteOf(event).kind, abi::SiteKind::kNone);
  event.value = 7;
  EXPECT_EQ(tables.FunctionOf(event)->params.size(), 2u);
  EXPECT_EQ(tables.TypeOf(0x77), nullptr);
}

TEST(TraceText, ReadsAFixture) {
  const Trace trace = ParseTrace(R"(
// A parent initialises, a child updates under m, the parent reads after join.
main: write x          #init   @a.c:3
main: fork a
a:    lock m
a:    write x value=2  #update @a.c:9:4
a:    unlock m
main: join a           // no lock is needed
main: read x           #after

expect hb       #init -> #update -> #after
expect lockset  x at #after     // known false alarm
)");
  ASSERT_EQ(trace.events.size(), 7u);
  EXPECT_EQ(trace["init"].kind, EventKind::kWrite);
  EXPECT_EQ(trace["init"].tid, Tid::kMain);
  EXPECT_EQ(trace["update"].tid, Tid{1});
  EXPECT_EQ(trace["update"].value, 2u);
  EXPECT_EQ(trace["update"].size, 8u);
  EXPECT_EQ(trace["update"].address, trace["init"].address);
  EXPECT_EQ(trace["after"].seq, 6u);
  EXPECT_EQ(trace.events[1].value, 1u);
  EXPECT_EQ(PlaceText(*trace.names.PlaceOf(trace["update"])), "a.c:9:4");
  EXPECT_NE(trace["update"].site, trace["init"].site);
  ASSERT_EQ(trace.expectations.size(), 2u);
  EXPECT_EQ(trace.expectations[0].claim, "#init -> #update -> #after");
  EXPECT_EQ(trace.expectations[1].analysis, "lockset");
  EXPECT_EQ(trace.expectations[1].line, 12u);
  EXPECT_TRUE(Validate(trace).has_value());
}

TEST(TraceText, PrintsWhatAPersonWouldWrite) {
  EXPECT_EQ(PrintTrace(ParseTrace("main: fork a\n"
                                  "a: rmw x+4 relaxed size=4 value=2 old=1\n"
                                  "a: lock m shared point\n")),
            "thread 0 main\n"
            "thread 1 a\n"
            "object x 0x1000 4096\n"
            "object m 0x2000 4096\n"
            "main:    fork a\n"
            "a:       rmw x+4 value=2 size=4 relaxed old=1\n"
            "a:       lock m shared point\n");
}

TEST(TraceText, NamesTheLineAndTheColumnOfAnError) {
  constexpr struct {
    std::string_view text;
    std::string_view error;
  } kCases[] = {
      {"a: jump x", "1:4: no kind of event: 'jump'"},
      {"a: old x", "1:4: no kind of event: 'old'"},
      {"a:", "1:3: what the thread does is missing"},
      {"\n\n  a: read x  size=q", "3:14: 'size=q' means nothing here"},
      {"a: read x y", "1:11: 'y' means nothing here"},
      {"hello", "1:1: no line of a trace begins with 'hello'"},
      {"a: read x #l\na: read x #l", "2:11: a second label #l"},
      {"a: read x seq=5\na: read x seq=5", "2:11: seq=5 does not ascend"},
      {"a: read x block=1", "1:11: 'block=1' means nothing here"},
      {"a: read x @nowhere", "1:11: '@nowhere' means nothing here"},
      {"expect race", "1:12: a claim is missing"},
      {"node 3 3 1", "1:8: a node's parent is not smaller than itself"},
      {"site 1 jump f a.c:1", "1:8: no kind of site: 'jump'"},
      {"site 1 load f a.c:1 flags=red", "1:21: unexpected 'flags=red'"},
      {"site 1 load f a.c:1 block=65536", "1:21: unexpected 'block=65536'"},
      {"field 0x7 x 0 4", "1:7: no type 0x7 stands before this"},
      {"function 1 f f a.c:1 param=x", "1:22: unexpected 'param=x'"},
      {"thread 70000 a", "1:8: a thread's number is too large: 70000"},
      {"object x y 4", "1:10: an address is no number: 'y'"},
      {"module 1 %4 program", "1:10: a path has a broken %XX: '%4'"},
  };
  for (const auto& [text, error] : kCases) {
    const Result<Trace> trace = ParseTraceUntrusted(text);
    ASSERT_FALSE(trace.has_value()) << text;
    EXPECT_EQ(trace.error().Text(), error) << text;
  }
}

TEST(TraceText, RandomChangesNeverBreakTheParser) {
  Trace sample;
  sample.events = SampleEvents();
  sample.names = SampleNames();
  const std::string text = PrintTrace(sample).substr(0, 2000);
  sched::Rng rng(3);
  for (int i = 0; i < 3000; ++i) {
    std::string changed = text;
    for (int n = 0; n < 6; ++n) {
      changed[rng.Below(changed.size())] = static_cast<char>(rng.Next());
    }
    const Result<Trace> parsed = ParseTraceUntrusted(changed);
    if (parsed) PrintTrace(*parsed);
  }
}

TEST(Validate, RefusesWhatNoProgramDoes) {
  constexpr struct {
    std::string_view text;
    std::string_view error;
  } kCases[] = {
      {"a: end\na: read x", "event 1 (a: read) comes after its thread's end"},
      {"main: fork a\nmain: fork a",
       "event 1 (main: fork) creates a thread that was there before"},
      {"a: read x\nmain: fork a",
       "event 1 (main: fork) creates a thread that was there before"},
      {"a: woken-by-signal c cause=7",
       "event 0 (a: woken-by-signal) is woken by a later event"},
  };
  for (const auto& [text, error] : kCases) {
    const Status status = Validate(ParseTrace(text));
    ASSERT_FALSE(status.has_value()) << text;
    EXPECT_EQ(status.error().Text(), error);
  }
}

TEST(Names, LaterNamesWin) {
  Names names = SampleNames();
  Names later;
  later.threads[Tid{1}] = {.path = "main/1", .name = "renamed"};
  names.Merge(later);
  EXPECT_EQ(names.threads[Tid{1}].name, "renamed");
  EXPECT_EQ(names.threads[Tid{0}].path, "main");
  EXPECT_EQ(names.ObjectText(0x4012), "counter+2");
  EXPECT_EQ(names.ObjectText(0x4014), "0x4014");
  EXPECT_EQ(names.ThreadText(Tid{9}), "thread-9");
}

}  // namespace
}  // namespace fairlead::trace
