// Reports as people see them, compared with the files in golden/. With
// FAIRLEAD_UPDATE_GOLDEN=1 in the environment the files are written anew.

#include "report/text.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include "base/file.h"
#include "trace/text.h"

namespace fairlead::report {
namespace {

using finding::Finding;
using finding::Kind;

void ExpectGolden(const std::string& name, const std::string& found) {
  const std::string path = FAIRLEAD_GOLDEN "/" + name + ".txt";
  if (getenv("FAIRLEAD_UPDATE_GOLDEN") != nullptr) {
    ASSERT_TRUE(WriteFile(path, found));
  }
  const Result<std::string> wanted = ReadFile(path);
  ASSERT_TRUE(wanted) << wanted.error().Text();
  EXPECT_EQ(found, *wanted);
}

Finding Sample(Kind kind, std::string_view slice) {
  Finding finding;
  finding.kind = kind;
  finding.message = "it went wrong";
  finding.witness.slice = trace::ParseTrace(slice);
  return finding;
}

Finding LostUpdate() {
  Finding finding =
      Sample(Kind::kExit,
             "a: read balance size=4 value=0 seq=29 @bank.cc:17:3\n"
             "b: read balance size=4 value=0 seq=30 @bank.cc:17:3\n"
             "b: write balance size=4 value=1 seq=31 @bank.cc:18:3\n"
             "a: write balance size=4 value=1 seq=34 @bank.cc:18:3\n"
             "main: read balance size=4 value=1 seq=41 @bank.cc:27:3\n"
             "main: exit value=1 seq=44 @bank.cc:27:3\n");
  finding.witness.sources["bank.cc"][17] = "  const int before = balance;";
  finding.witness.sources["bank.cc"][18] = "  balance = before + amount;";
  return finding;
}

TEST(TextInterleaving, HasAColumnPerThreadAndSaysWhatWasLost) {
  ExpectGolden("lost_update",
               TextInterleaving(InterleavingOf(LostUpdate()), 110));
}

std::vector<std::string> NotesOf(std::string_view slice) {
  std::vector<std::string> notes;
  for (const Row& row : InterleavingOf(Sample(Kind::kExit, slice)).rows) {
    notes.push_back(row.note);
  }
  return notes;
}

TEST(Interleaving, ACopySeesWhatWasWrittenIntoIt) {
  EXPECT_THAT(NotesOf("object text 0x5000 64\n"
                      "b: write text+32 size=4 value=7 seq=3\n"
                      "a: read text size=64 seq=4\n"),
              testing::ElementsAre("", "sees step 3"));
}

// Then a step that is not shown wrote it.
TEST(Interleaving, AnotherValueIsNotSeenFromAStep) {
  EXPECT_THAT(NotesOf("b: write x size=4 value=7 seq=3\n"
                      "a: read x size=4 value=8 seq=9\n"),
              testing::ElementsAre("", ""));
}

TEST(Interleaving, AMisuseAndItsAccessAreOneRow) {
  const Finding finding = Sample(Kind::kUseAfterFree,
                                 "object heap#1 0x5000 16\n"
                                 "b: free heap#1 value=16 seq=3\n"
                                 "a: misuse heap#1+8 value=17 seq=4\n"
                                 "a: read heap#1+8 size=4 value=1 seq=5\n");
  const Interleaving table = InterleavingOf(finding);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[1].text, "use after free: read heap#1+8 = 1");
  EXPECT_EQ(table.rows[1].note, "freed in step 3");
  EXPECT_TRUE(table.rows[1].failed);
}

TEST(TextReport, ASanitizersReportIsShownFromItsBeginning) {
  Finding finding;
  finding.kind = Kind::kSanitizer;
  finding.witness.error =
      "hello\n==1==ERROR: AddressSanitizer: heap-use-after-free on address "
      "0x60\nREAD of size 4\n#0 0x1 in Use() (.active.4f) a.cc:6\n";
  for (int i = 0; i < 40; ++i) finding.witness.error += "legend\n";
  const std::string text = TextReport({&finding, "", {}, {}}, 100);
  EXPECT_THAT(text, testing::HasSubstr(
                        "standard error:\n  ==1==ERROR: AddressSanitizer: "
                        "heap-use-after-free on address 0x60\n  READ of size "
                        "4\n  #0 0x1 in Use() a.cc:6\n"));
  EXPECT_THAT(text, testing::HasSubstr("  … 33 lines more\n"));
}

TEST(TextInterleaving, NarrowPagesLoseSourcesThenColumns) {
  ExpectGolden("lost_update_80",
               TextInterleaving(InterleavingOf(LostUpdate()), 80));
  ExpectGolden("lost_update_60",
               TextInterleaving(InterleavingOf(LostUpdate()), 60));
}

TEST(TextInterleaving, UseAfterFreeNamesWhoFreed) {
  const Finding finding =
      Sample(Kind::kUseAfterFree,
             "object heap#3 0x5000 16\n"
             "a: read head size=8 value=0x5000 seq=10 @list.cc:7:1\n"
             "b: free heap#3 value=16 size=0 seq=12 @list.cc:8:1\n"
             "a: read heap#3+8 size=4 value=7 seq=13 @list.cc:7:1\n"
             "a: misuse heap#3+8 value=17 seq=14 @list.cc:7:1\n");
  ExpectGolden("use_after_free",
               TextInterleaving(InterleavingOf(finding), 110));
}

TEST(TextInterleaving, AnAccessInALibraryStandsWhereTheApplicationCalledIt) {
  Finding finding =
      Sample(Kind::kAssertion,
             "site 1 call Work app.cc:15:3\n"
             "site 2 call pop_front stl_deque.h:1587:4 library\n"
             "site 3 store _M_pop stl_deque.h:600:4 library\n"
             "node 1 0 1\n"
             "node 2 1 2\n"
             "a: write jobs size=8 value=7 library site=3 node=2 seq=8\n"
             "main: read jobs size=8 value=7 seq=9 @app.cc:14:3\n");
  finding.witness.sources["app.cc"][15] = "  jobs.pop_front();";
  ExpectGolden("library_call", TextInterleaving(InterleavingOf(finding), 110));
}

TEST(TextReport, ADeadlockEndsWithWhatEachThreadWaitsFor) {
  Finding finding = Sample(Kind::kDeadlock,
                           "main: lock a seq=5 @order.c:19:1\n"
                           "other: lock b seq=7 @order.c:9:1\n");
  finding.message = "main and other wait for each other";
  finding.witness.threads = {
      {.thread = "main",
       .doing = "waits: lock b, held by other",
       .frames = {{.function = "main", .place = {"order.c", 20, 1}}}},
      {.thread = "other (helper)",
       .doing = "waits: lock a, held by main",
       .frames = {{.function = "take", .place = {"order.c", 10, 1}},
                  {.function = "work", .place = {"order.c", 31, 1}}}}};
  finding.witness.sources["order.c"][20] = "  pthread_mutex_lock(&b);";
  finding.witness.output = "hello\n";
  ExpectGolden("deadlock",
               TextReport({.finding = &finding,
                           .heading = "finding 1 of app: high, confirmed, open",
                           .facts = {"found in execution 37"},
                           .commands = {"repeat:  fairlead replay 1"}},
                          110));
}

TEST(TextInterleaving, SignalsThatNobodyHearsAreToldAsSuch) {
  ExpectGolden(
      "lost_wakeup",
      TextInterleaving(
          InterleavingOf(Sample(Kind::kLostWakeup,
                                "a: read ready size=4 value=0 @w.c:18:1\n"
                                "main: write ready size=4 value=1 @w.c:29:1\n"
                                "main: signal cv @w.c:31:1\n"
                                "a: wait cv partner=nobody,m @w.c:20:1\n")),
          110));
}

TEST(TextInterleaving, AnExchangeThatSucceedsOnAValueThatHasComeBack) {
  ExpectGolden("aba",
               TextInterleaving(
                   InterleavingOf(Sample(
                       Kind::kAssertion,
                       "a: load top size=8 value=1 @s.c:9:1\n"
                       "b: cas top size=8 value=2 old=1 success @s.c:12:1\n"
                       "b: cas top size=8 value=1 old=2 success @s.c:18:1\n"
                       "a: cas top size=8 value=3 old=1 success @s.c:12:1\n")),
                   110));
}

// A handler's steps are in the column of its thread, and not its own.
TEST(TextInterleaving, ASignalArrivesBetweenTwoSteps) {
  ExpectGolden(
      "signal",
      TextInterleaving(
          InterleavingOf(Sample(Kind::kExit,
                                "main: signal-sent value=10 @k.c:20:1\n"
                                "a: read count size=4 value=0 @k.c:8:1\n"
                                "a: signal-delivered value=10 @k.c:9:1\n"
                                "a: read count size=4 value=0 @k.c:5:1\n"
                                "a: write count size=4 value=10 @k.c:5:2\n"
                                "a: write count size=4 value=1 @k.c:9:1\n")),
          110));
}

TEST(TextInterleaving, AFailedCheckIsTheLastRow) {
  Finding finding =
      Sample(Kind::kTest,
             "main/1: write left size=4 value=0xffffffff @t.cc:11:1\n"
             "main: read left size=4 value=0xffffffff @t.cc:12:1\n");
  finding.sites = {{.place = {"t.cc", 19, 0}}};
  finding.witness.sources["t.cc"][19] = "  CHECK(s.Left() >= 0);";
  ExpectGolden("failed_check", TextInterleaving(InterleavingOf(finding), 110));
}

}  // namespace
}  // namespace fairlead::report
