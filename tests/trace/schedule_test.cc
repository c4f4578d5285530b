// The schedule file, both ways, and the refusal of schedules of something else.

#include "trace/schedule.h"

#include <gtest/gtest.h>

#include "sched/rng.h"

namespace fairlead::trace {
namespace {

constexpr char kText[] = R"(fairlead schedule 4
tool: 0.1.0
program: /home/me/my%20app
points: rule 3, set 0x90c1
build: 5f3c /home/me/my%20app
build: % /lib/x.so
argv: ./app two%20words %
environment: 0x1b7
stdin: 0x22
strategy: random, seed 7
carrier: fiber
policies: spurious
outcome: deadlock
idle: 0x1 0x2 0x3 0x40
idle: 0xffffffffffffffff
ordered: 0x92
closure: 2
thread: main
thread: main/1 name=a%20worker
- @ 0 -> main
main @ 17 -> main/1  at 0x2e way 0x5c  // increment lost.c:18
main/1 @ 3 = 2
input main @ 1: time 1700000000
input main/1 @ 1: result 3 bytes=a%00b
end: 3 choices, 2 inputs
)";

TEST(Schedule, RoundTrips) {
  const Result<Schedule> schedule = ParseScheduleUntrusted(kText);
  ASSERT_TRUE(schedule.has_value()) << schedule.error().Text();
  EXPECT_EQ(schedule->identity.program, "/home/me/my app");
  EXPECT_EQ(schedule->identity.argv,
            (std::vector<std::string>{"./app", "two words", ""}));
  EXPECT_EQ(schedule->identity.stdin_digest, 0x22u);
  EXPECT_EQ(schedule->seed, 7u);
  EXPECT_EQ(schedule->quiet.idle,
            (std::vector<uint64_t>{1, 2, 3, 0x40, ~uint64_t{0}}));
  EXPECT_EQ(schedule->quiet.ordered, std::vector<uint64_t>{0x92});
  EXPECT_EQ(schedule->explore_call, 2u);
  EXPECT_EQ(schedule->threads[1].name, "a worker");
  ASSERT_EQ(schedule->choices.size(), 3u);
  EXPECT_EQ(schedule->choices[0].left, Tid::kNone);
  EXPECT_EQ(schedule->choices[1].left, Tid{0});
  EXPECT_EQ(schedule->choices[1].next, Tid{1});
  EXPECT_EQ(schedule->choices[1].count, 17u);
  EXPECT_EQ(schedule->choices[1].anchor, abi::SiteId{0x2e});
  EXPECT_EQ(schedule->choices[1].way, 0x5cu);
  EXPECT_EQ(schedule->choices[2].next, Tid{1});
  EXPECT_EQ(schedule->choices[2].option, 2u);
  ASSERT_EQ(schedule->inputs.size(), 2u);
  EXPECT_EQ(schedule->inputs[1].payload, std::string("a\0b", 3));
  EXPECT_EQ(PrintSchedule(*schedule, {{0x2e, "increment lost.c:18"}}), kText);
}

TEST(Schedule, TheFirstFormatIsStillRead) {
  std::string text(kText);
  text.replace(text.find("schedule 4"), 10, "schedule 1");
  text.erase(text.find(" way 0x5c"), 9);
  const Result<Schedule> schedule = ParseScheduleUntrusted(text);
  ASSERT_TRUE(schedule.has_value()) << schedule.error().Text();
  EXPECT_EQ(schedule->choices[1].way, 0u);
}

TEST(Schedule, ANewerFormatIsRefusedWithTheToolThatReadsIt) {
  const Result<Schedule> schedule = ParseScheduleUntrusted(
      "fairlead schedule 99\ntool: 4.2.0\nwhatever: %%\n");
  ASSERT_FALSE(schedule.has_value());
  EXPECT_EQ(schedule.error().code(), ErrorCode::kTooNew);
  EXPECT_EQ(schedule.error().In("a.sched").Text(),
            "a.sched: uses schedule format 99; this build reads up to 4; "
            "replay it with the version that recorded it, fairlead 4.2.0");
}

std::string Replace(std::string text, std::string_view from,
                    std::string_view to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(Schedule, NamesTheLineAndTheColumnOfAnError) {
  const struct {
    std::string text;
    std::string_view error;
  } kCases[] = {
      {"hello",
       "1:1: this is no schedule: it does not begin with 'fairlead "
       "schedule'"},
      {"",
       "1:1: this is no schedule: it does not begin with 'fairlead "
       "schedule'"},
      {"fairlead schedule x", "1:19: no version of a schedule"},
      {Replace(kText, "-> main/1", "-> main/2"),
       "21:14: unknown thread "
       "'main/2'"},
      {Replace(kText, "main @ 17", "main @ x"),
       "21:8: a count is no number: 'x'"},
      {Replace(kText, "main @ 17", "main ! 17"),
       "21:6: expected '@', found "
       "'!'"},
      {Replace(kText, "end: 3", "end: 4"),
       "25:19: the file holds 3 choices and 2 inputs"},
      {Replace(kText, "0x3 0x40", "0x40 0x3"), "14:20: ids must ascend: 0x3"},
      {Replace(kText, "time 17", "tide 17"), "23:17: no kind of input: 'tide'"},
      {std::string(kText) + "main @ 1 -> main/1\n",
       "26:1: something follows the end line"},
      {Replace(kText, "end: 3 choices, 2 inputs\n", ""),
       "25:1: the end line is missing; the schedule was cut and cannot be "
       "replayed"},
  };
  for (const auto& [text, error] : kCases) {
    const Result<Schedule> schedule = ParseScheduleUntrusted(text);
    ASSERT_FALSE(schedule.has_value()) << text;
    EXPECT_EQ(schedule.error().Text(), error);
  }
}

TEST(Schedule, EveryTruncationIsRefused) {
  const std::string text = kText;
  // Without the last line end the text is still whole.
  for (size_t size = 0; size + 1 < text.size(); ++size) {
    EXPECT_FALSE(ParseScheduleUntrusted(text.substr(0, size)).has_value())
        << size;
  }
}

TEST(Schedule, RandomChangesNeverBreakTheParser) {
  sched::Rng rng(9);
  for (int i = 0; i < 20'000; ++i) {
    std::string text = kText;
    for (int n = 0; n < 3; ++n) {
      text[rng.Below(text.size())] = static_cast<char>(rng.Next());
    }
    const Result<Schedule> schedule = ParseScheduleUntrusted(text);
    if (schedule) PrintSchedule(*schedule, {});
  }
}

TEST(Schedule, SaysWhatDiffersFromTheProgramAtHand) {
  const Identity recorded = ParseScheduleUntrusted(kText)->identity;
  Identity now = recorded;
  EXPECT_EQ(IdentityProblem(recorded, now), "");
  now.argv[0] = "somewhere/else/app";
  EXPECT_EQ(IdentityProblem(recorded, now), "");
  now.argv[1] = "x";
  EXPECT_EQ(IdentityProblem(recorded, now),
            "it was recorded with other arguments: ./app 'two words' ''");
  now.builds[0].build_id = "77";
  EXPECT_EQ(IdentityProblem(recorded, now),
            "it was recorded from another build of /home/me/my app (build id "
            "5f3c, now 77)");
  now.program = "/bin/other";
  EXPECT_EQ(IdentityProblem(recorded, now),
            "it was recorded from another program, /home/me/my app");
  now.point_rule = 4;
  EXPECT_EQ(IdentityProblem(recorded, now),
            "it places points by rule 3, this build by rule 4");
  EXPECT_EQ(IdentityDoubt(recorded, now), "");
  now.stdin_digest.reset();
  EXPECT_EQ(IdentityDoubt(recorded, now),
            "standard input differs from the recorded one");
  now.environment = 0;
  EXPECT_EQ(IdentityDoubt(recorded, now),
            "the environment differs from the recorded one");
}

}  // namespace
}  // namespace fairlead::trace
