// Tests of bug files: what is written is read, and nothing else is.

#include "finding/bug_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::finding {
namespace {

using testing::HasSubstr;

BugFile Sample() {
  BugFile bug;
  bug.tool = "0.1.0";
  bug.finding.kind = Kind::kOutput;
  bug.finding.severity = Severity::kMedium;
  bug.finding.message = "the output is another one";
  bug.finding.details = {"one line"};
  bug.finding.fingerprint = 0xfeed;
  bug.finding.sites = {{.function = "f", .place = {"a.c", 3, 9}, .anchor = 7}};
  bug.finding.witness.output = std::string("not \xff utf-8\0", 12);
  bug.finding.witness.schedule.emplace();
  bug.finding.witness.schedule->seed = 42;
  bug.finding.witness.schedule->strategy = "random";
  bug.finding.witness.schedule->identity.program = "/x/app";
  bug.finding.witness.schedule->identity.builds = {{"aa", "/x/app"}};
  bug.finding.witness.schedule->identity.argv = {"./app"};
  bug.finding.witness.schedule->carrier = "fiber";
  bug.finding.witness.schedule->tool = "0.1.0";
  bug.finding.witness.schedule->threads = {{.path = "main"}};
  bug.command = {.argv = {"./app", "-n", "3"},
                 .directory = "/x",
                 .input = "in",
                 .before = "rm -f out",
                 .judge = "./judge",
                 .fresh_directory = true,
                 .ok_exits = {3, 7},
                 .timeout = 2.5};
  bug.ordering.emplace();
  bug.ordering->target = *ParseTargetUntrusted(
      "fairlead target 1\nkind: orders\nobject x\n"
      "step 1 a: read x anchor=0x1\nstep 2 b: write x anchor=0x2\n"
      "edge 1 -> 2\nsuccess failure\n");
  bug.ordering->names = {{.function = "f", .same_field = {1}},
                         {.kind = "load"}};
  bug.ordering->all = {.failed = 50, .tried = 50};
  bug.ordering->edges = {{.released = {.failed = 1, .tried = 50}}};
  bug.ordering->common = {{.before = 1, .after = 0, .needed = false},
                          {.before = 0, .after = 1}};
  return bug;
}

TEST(BugFile, WhatIsWrittenIsRead) {
  const BugFile bug = Sample();
  const Result<BugFile> read =
      ParseBugFileUntrusted(JsonText(BugFileJson(bug)));
  ASSERT_TRUE(read) << read.error().Text();
  EXPECT_EQ(read->finding.kind, bug.finding.kind);
  EXPECT_EQ(read->finding.fingerprint, bug.finding.fingerprint);
  EXPECT_EQ(read->finding.sites, bug.finding.sites);
  EXPECT_EQ(read->finding.details, bug.finding.details);
  EXPECT_EQ(read->finding.witness.output, bug.finding.witness.output);
  EXPECT_EQ(read->finding.witness.schedule->seed, 42);
  EXPECT_EQ(read->command.argv, bug.command.argv);
  EXPECT_EQ(read->command.judge, bug.command.judge);
  EXPECT_EQ(read->command.ok_exits, bug.command.ok_exits);
  EXPECT_EQ(read->command.timeout, bug.command.timeout);
  EXPECT_TRUE(read->command.fresh_directory);
  EXPECT_EQ(read->ordering->target, bug.ordering->target);
  EXPECT_EQ(read->ordering->names, bug.ordering->names);
  EXPECT_EQ(read->ordering->edges, bug.ordering->edges);
  EXPECT_EQ(read->ordering->common, bug.ordering->common);
}

struct Refusal {
  const char* pointer;  // what is replaced, as a JSON pointer
  const char* by;       // JSON
  const char* says;
};

TEST(BugFile, WhatIsWrongIsRefusedByItsName) {
  const Refusal kRefusals[] = {
      {"/fairlead_bug", "2", "version 2"},
      {"/fairlead_bug", "0", "no version"},
      {"/fairlead_bug", "\"1\"", "no version"},
      {"/finding", "[]", "finding"},
      {"/finding/kind", "\"what\"", "'what' is no kind"},
      {"/finding/kind", "7", "'kind' is no text"},
      {"/finding/sites", "{}", "'sites' is no array"},
      {"/finding/sites", "[1]", "is no object"},
      {"/finding/details", "[1]", "'details'"},
      {"/command", "null", "command"},
      {"/command/argv", "[]", "'argv' is empty"},
      {"/command/argv", "\"sh -c true\"", "'argv' is no array"},
      {"/command/ok_exits", "[256]", "'ok_exits'"},
      {"/command/timeout", "-1", "'timeout'"},
      {"/command/fresh_dir", "1", "'fresh_dir'"},
      {"/schedule", "\"nonsense\"", "schedule"},
      {"/schedule", "{}", "'schedule' is no text"},
      {"/ordering", "[]", "ordering"},
      {"/ordering/steps", "[]", "'steps'"},
      {"/ordering/target", "{}", "ordering"},
      {"/ordering/common", "[1]", "'common'"},
      {"/ordering/common", R"([{"before": 0, "after": 1}])", "not there"},
      {"/ordering/common", R"([{"before": 1, "after": 3}])", "not there"},
  };
  for (const Refusal& refusal : kRefusals) {
    SCOPED_TRACE(std::string(refusal.pointer) + " = " + refusal.by);
    Json json = BugFileJson(Sample());
    json[Json::json_pointer(refusal.pointer)] = *ParseJson(refusal.by);
    const Result<BugFile> read = ParseBugFileUntrusted(JsonText(json));
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().Text(), HasSubstr(refusal.says));
  }
}

TEST(BugFile, NoCutOrChangedFileIsAccidentallyRight) {
  const std::string text = JsonText(BugFileJson(Sample()));
  for (size_t size = 0; size + 2 < text.size(); size += 7) {
    EXPECT_FALSE(ParseBugFileUntrusted(text.substr(0, size)));
  }
  // Whatever a changed byte makes of it, it is read or refused.
  for (size_t at = 0; at < text.size(); at += 3) {
    std::string changed = text;
    changed[at] = static_cast<char>(changed[at] ^ 0x11);
    (void)ParseBugFileUntrusted(changed);
  }
}

TEST(BugFile, BugsOfTwoBuildsAreTheSameByKindAndFunctions) {
  const Finding one = Sample().finding;
  Finding other = one;
  other.fingerprint = 1;
  EXPECT_TRUE(IsSameBug(one, other));
  other.sites[0].function = "g";
  EXPECT_FALSE(IsSameBug(one, other));
  other = one;
  other.kind = Kind::kCrash;
  EXPECT_FALSE(IsSameBug(one, other));
}

}  // namespace
}  // namespace fairlead::finding
