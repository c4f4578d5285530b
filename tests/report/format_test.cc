// Report formats: the table of them, and what they make of one campaign.

#include "report/format.h"

#include <gmock/gmock.h>

namespace fairlead::report {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

finding::Finding Crash() {
  finding::Finding finding;
  finding.kind = finding::Kind::kCrash;
  finding.verdict = finding::Verdict::kConfirmed;
  finding.message = "SIGSEGV in drop";
  finding.sites.push_back({.function = "drop", .place = {"app.c", 7, 3}});
  return finding;
}

Campaign Failed(const finding::Finding& finding) {
  Campaign campaign;
  campaign.argv = {"./app"};
  campaign.executions = 1204;
  campaign.failed = 3;
  campaign.seconds = 2;
  campaign.runner = "fork server";
  campaign.findings.push_back({.finding = &finding,
                               .id = 1,
                               .novelty = "new",
                               .execution = 37,
                               .strategy = "random",
                               .seed = 7,
                               .times = 3,
                               .commands = {{"show", "fairlead show 1"}}});
  campaign.why_ended = "the time is over";
  campaign.exit = ExitCode::kFindings;
  return campaign;
}

TEST(Formats, AreFoundByNameAndTextIsTheFirst) {
  EXPECT_EQ(Formats().front(), FindFormat("text"));
  for (const Format* format : Formats()) {
    EXPECT_EQ(FindFormat(format->name), format);
    EXPECT_THAT(std::string(format->help), Not(IsEmpty()));
  }
  EXPECT_EQ(FindFormat("papyrus"), nullptr);
}

TEST(Formats, ShowACampaignThatFailed) {
  const finding::Finding finding = Crash();
  const Campaign campaign = Failed(finding);
  for (const Format* format : Formats()) {
    if (format->campaign == nullptr) continue;
    SCOPED_TRACE(format->name);
    EXPECT_THAT(format->campaign(campaign, {}), HasSubstr("SIGSEGV in drop"));
  }
}

TEST(CampaignText, EndsWithTheAnswer) {
  const finding::Finding finding = Crash();
  Campaign campaign = Failed(finding);
  EXPECT_EQ(CampaignText(campaign, {.quiet = true}),
            "[1] high, new: crash: SIGSEGV in drop\n"
            "    confirmed; first in execution 37, 3 times in all\n"
            "    show:   fairlead show 1\n"
            "\n"
            "failed: 1 crash (the time is over)\n");
  EXPECT_THAT(CampaignText(campaign, {.verbose = true}),
              HasSubstr("    found by random, seed 7\n"));
  campaign.findings.clear();
  campaign.exit = ExitCode::kNothingFound;
  campaign.company = {"2 child processes"};
  EXPECT_EQ(CampaignText(campaign, {.quiet = true}),
            "ok: nothing found (the time is over); not controlled: 2 child "
            "processes\n");
  campaign.exit = ExitCode::kUnknown;
  campaign.why_unknown = "no answer";
  EXPECT_EQ(CampaignText(campaign, {.quiet = true}),
            "unknown: no answer (the time is over)\n");
  EXPECT_EQ(CampaignJson(campaign)["result"], "unknown");
  EXPECT_EQ(CampaignJson(campaign)["reason"], "no answer");
}

}  // namespace
}  // namespace fairlead::report
