#include "finding/sanitizer_report.h"

#include <gtest/gtest.h>

namespace fairlead::finding {
namespace {

constexpr char kAfterFree[] =
    "hello\n"
    "=================================================================\n"
    "==4711==ERROR: AddressSanitizer: heap-use-after-free on address "
    "0x602000000010 at pc 0x55d0c8 bp 0x7fff0 sp 0x7ffe8\n"
    "READ of size 4 at 0x602000000010 thread T1\n"
    "    #0 0x55d0c7 in __interceptor_memcpy (/x/app+0x330c7)\n"
    "    #1 0x55d0d0 in std::copy(int*) "
    "/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/bits/a.h:9:3\n"
    "    #2 0x55d0d8 in Pop(Queue*) (.active.4fcc9675955e393c) "
    "/src/queue.cc:12:10\n"
    "    #3 0x7f0d in start_thread nptl/pthread_create.c:442:8\n"
    "\n"
    "0x602000000010 is located 0 bytes inside of 4-byte region "
    "[0x602000000010,0x602000000014)\n"
    "freed by thread T0 here:\n"
    "    #0 0x55d1 in free (/x/app+0xa1)\n"
    "    #1 0x55d2 in main /src/queue.cc:30:3\n"
    "\n"
    "previously allocated by thread T0 here:\n"
    "    #0 0x55d1 in malloc (/x/app+0xb1)\n"
    "    #1 0x55d2 in main /src/queue.cc:20:3\n"
    "\n"
    "SUMMARY: AddressSanitizer: heap-use-after-free /src/queue.cc:12:10 in "
    "Pop(Queue*)\n";
constexpr char kAfterFreeMark[] =
    "==4711==ERROR: AddressSanitizer: heap-use-after-free on address "
    "0x602000000010 at pc 0x55d0c8 bp 0x7fff0 sp 0x7ffe8";

TEST(SanitizerReport, HasItsOwnKindFirstLinesAndTheProgramsFrames) {
  const auto report = ReadSanitizerReport(kAfterFree, kAfterFreeMark);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->tool, "AddressSanitizer");
  EXPECT_EQ(report->kind, "heap-use-after-free");
  EXPECT_EQ(report->first,
            "ERROR: AddressSanitizer: heap-use-after-free on address "
            "0x602000000010 at pc 0x55d0c8 bp 0x7fff0 sp 0x7ffe8");
  EXPECT_EQ(report->access, "READ of size 4 at 0x602000000010 thread T1");
  ASSERT_EQ(report->stacks.size(), 3u);
  EXPECT_EQ(WhereText(report->stacks[0].where),
            "/src/queue.cc:12 (Pop(Queue*))");
  EXPECT_EQ(report->stacks[1].heading, "freed by thread T0");
  EXPECT_EQ(WhereText(report->stacks[1].where), "/src/queue.cc:30 (main)");
  EXPECT_EQ(report->stacks[2].heading, "previously allocated by thread T0");
  EXPECT_EQ(SentenceOf(*report),
            "heap-use-after-free: READ of size 4 by thread T1 at "
            "/src/queue.cc:12 (Pop(Queue*))");
  EXPECT_EQ(CauseOf(*report),
            "AddressSanitizer\nheap-use-after-free\nPop(Queue*)\nqueue.cc");
}

struct Case {
  const char* mark;
  const char* kind;
  const char* sentence;
};

constexpr Case kCases[] = {
    {"a.cc:7:9: runtime error: signed integer overflow: 2147483647 + 1 cannot "
     "be represented in type 'int'",
     "signed integer overflow", "signed integer overflow at a.cc:7"},
    {"==1==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc "
     "0x1 bp 0x2 sp 0x3 T0)",
     "SEGV", "SEGV"},
    {"==1==ERROR: LeakSanitizer: detected memory leaks",
     "detected memory leaks", "detected memory leaks"},
    {"==1==ERROR: AddressSanitizer: attempting double-free on 0x602 in thread "
     "T1:",
     "double-free", "double-free"},
};

TEST(SanitizerReport, IsReadFromItsFirstLineAlone) {
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.mark);
    const auto report = ReadSanitizerReport(each.mark, each.mark);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->kind, each.kind);
    EXPECT_EQ(SentenceOf(*report), each.sentence);
  }
}

TEST(SanitizerReport, IsNothingWithoutItsLine) {
  EXPECT_FALSE(ReadSanitizerReport("hello\n", "bye"));
  EXPECT_FALSE(ReadSanitizerReport("hello\n", ""));
  EXPECT_FALSE(ReadSanitizerReport("hello\n", "hello"));
}

}  // namespace
}  // namespace fairlead::finding
