#include "cli/test_report.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"
#include "cli/findings.h"
#include "cli/live_line.h"
#include "cli/test_answer.h"
#include "explore/judge/uncontrolled.h"
#include "finding/outcome.h"

namespace fairlead::cli {
namespace {

using explore::CampaignEnding;
using explore::Found;

double Seconds(const TestReport& report) {
  return std::chrono::duration<double>(report.result.progress.elapsed).count();
}

double Rate(const TestReport& report) {
  const double seconds = Seconds(report);
  return seconds > 0
             ? static_cast<double>(report.result.progress.executions) / seconds
             : 0;
}

std::string_view NoveltyText(store::Novelty novelty) {
  switch (novelty) {
    case store::Novelty::kNew:
      return "new";
    case store::Novelty::kKnown:
      return "known";
    case store::Novelty::kBack:
      return "back again";
    case store::Novelty::kIgnored:
      return "ignored";
  }
  return "";
}

std::string Why(const TestReport& report) {
  if (report.result.findings.empty() && report.result.most_threads == 1 &&
      FreeCompany(report).empty() && report.result.progress.steps == 0 &&
      report.result.progress.cut == 0 &&
      report.result.ending == CampaignEnding::kBudget) {
    return "one thread: nothing to explore";
  }
  switch (report.result.ending) {
    case CampaignEnding::kBudget:
      return report.options.executions != 0 &&
                     report.result.progress.executions >=
                         report.options.executions
                 ? "all executions were run"
                 : "the time is over";
    case CampaignEnding::kFound:
      return "stopped at the first finding; --keep-going looks for more";
    case CampaignEnding::kExhausted:
      return "the strategy has nothing left to try";
    case CampaignEnding::kAlways:
      return "fails in every schedule that was tried";
    case CampaignEnding::kNothing:
      return "one thread: nothing to explore";
    case CampaignEnding::kInterrupted:
      return "stopped by the user";
  }
  return "";
}

// Findings that count: the most severe first, and of those by what came of
// them.
std::vector<size_t> Ranked(const TestReport& report) {
  std::vector<size_t> order;
  for (size_t i = 0; i < report.result.findings.size(); ++i) {
    if (report.result.findings[i].counts) order.push_back(i);
  }
  std::ranges::sort(order, {}, [&](size_t i) {
    const finding::Finding& finding = report.result.findings[i].finding;
    return std::tuple(-static_cast<int>(finding.severity),
                      finding::OutcomeOf(finding.kind), i);
  });
  return order;
}

std::string FindingText(const Found& found, const ToldFinding& told,
                        const std::string& store) {
  const finding::Finding& finding = found.finding;
  std::string text = fmt::format(
      "[{}] {}, {}: {}: {}\n", static_cast<uint64_t>(told.recorded.id),
      finding::WordOf(finding.severity), NoveltyText(told.recorded.novelty),
      finding::TitleOf(finding.kind), finding.message);
  text += fmt::format("    {}; first in execution {}, {} in all",
                      finding::WordOf(finding.verdict),
                      Grouped(found.execution), Counted(found.times, "time"));
  if (found.followed != 0) {
    text += fmt::format("; its server did the same {} of {} times",
                        found.followed, found.tried);
  } else if (found.tried != 0) {
    text +=
        fmt::format("; repeated {} of {} times", found.repeated, found.tried);
  }
  text += "\n";
  if (finding.always) {
    text +=
        "    every schedule that was tried fails like this: the bug may have "
        "nothing to do with threads\n";
  }
  for (const std::string_view verb : {"show", "replay", "clear"}) {
    const bool judged =
        verb == "replay" && finding.kind == finding::Kind::kJudge;
    text += fmt::format("    {:<7} {}{}\n", fmt::format("{}:", verb),
                        FindingCommand(verb, told.recorded.id, store),
                        judged ? " --allow-stored-commands" : "");
  }
  return text;
}

std::string BehaviourText(const TestReport& report) {
  const explore::Progress& progress = report.result.progress;
  std::string text;
  const explore::CampaignResult& result = report.result;
  if (result.num_predicted != 0) {
    text = fmt::format("{} predicted from the first execution, {} realised\n",
                       Counted(result.num_predicted, "interleaving"),
                       result.num_realised);
  }
  if (report.options.all) {
    for (const std::string& sentence : result.harmless) {
      text += fmt::format("  nothing observable: {}\n", sentence);
    }
    for (const std::string& sentence : result.possible) {
      text += fmt::format("  possible: {}\n", sentence);
    }
  }
  if (progress.behaviours == 0) return text;
  const uint64_t last = report.result.last_new_behaviour;
  const bool grows = last * 2 > progress.executions;
  return text +
         fmt::format(
             "{} behaviours, the last new one in execution {} of {}: {}\n",
             Grouped(progress.behaviours), Grouped(last),
             Grouped(progress.executions),
             grows ? "more time may show more"
                   : "new ones are rare now, and so may be a bug that is left");
}

}  // namespace

ExitCode ExitCodeOf(const TestReport& report) {
  const finding::Severity least = finding::FindSeverity(report.options.fail_on)
                                      .value_or(finding::Severity::kLow);
  if (std::ranges::any_of(report.result.findings, [&](const Found& found) {
        return found.counts && found.finding.severity >= least;
      })) {
    return ExitCode::kFindings;
  }
  return WhyUnknown(report).empty() ? ExitCode::kNothingFound
                                    : ExitCode::kUnknown;
}

std::string TestText(const TestReport& report) {
  const explore::Progress& progress = report.result.progress;
  std::string text = fmt::format(
      "{} in {:.1f} s ({:.0f}/s, {}): {} failed, {} cut short\n",
      progress.executions == 1
          ? "1 execution"
          : fmt::format("{} executions", Grouped(progress.executions)),
      Seconds(report), Rate(report), report.result.runner,
      Grouped(progress.failed), Grouped(progress.cut));
  if (report.result.num_in_process != 0) {
    text += fmt::format(
        "  {} of them closures of fairlead::explore(), many in one process\n",
        Grouped(report.result.num_in_process));
  }
  if (report.options.quiet) text.clear();
  if (report.result.num_unrepeated != 0) {
    text += fmt::format(
        "  {} did not fail alone in a fresh process: the closure finds what "
        "earlier runs of it left behind\n",
        Counted(report.result.num_unrepeated, "failure"));
  }
  if (report.result.num_lost_clients != 0) {
    text += fmt::format(
        "  {} of the client is no finding: the server did not do the same "
        "again "
        "({})\n",
        Counted(report.result.num_lost_clients, "failure"),
        report.result.lost_client);
  }
  text += CutText(report);
  if (!report.options.quiet) text += BehaviourText(report);
  if (report.options.verbose) {
    for (const std::string& line : report.figures) text += line + "\n";
  }
  if (!report.result.remark.empty()) text += report.result.remark + "\n";
  for (const std::string& line :
       explore::UncontrolledLines(report.result.last_outcome, nullptr)) {
    text += fmt::format("not controlled: {}\n", line);
  }
  for (const std::string& name :
       explore::UnheededAnnotations(report.result.last_outcome)) {
    text += fmt::format("without effect: nothing is judged by {} yet\n", name);
  }
  for (const explore::Claim& claim : report.result.never) {
    text += fmt::format("never true: {}{}\n", claim.message,
                        claim.where.empty() ? "" : " at " + claim.where);
  }
  const std::vector<size_t> ranked = Ranked(report);
  for (const size_t i : ranked) {
    text += "\n" + FindingText(report.result.findings[i], report.told[i],
                               report.options.store);
  }
  const size_t silent = report.result.findings.size() - ranked.size();
  if (silent != 0) {
    text +=
        fmt::format("\n{} ignored or suppressed\n", Counted(silent, "finding"));
  }
  text += fmt::format(
      "\n{}: {} ({})\n",
      ExitCodeOf(report) == ExitCode::kFindings ? "failed" : "ok",
      ranked.empty() ? "nothing found" : Counted(ranked.size(), "finding"),
      Why(report));
  // What is quiet begins with its first word.
  if (report.options.quiet) text.erase(0, text.find_first_not_of('\n'));
  if (!ranked.empty()) return text;
  if (const std::string why = WhyUnknown(report); !why.empty()) {
    text.erase(text.rfind("ok: "));
    text += fmt::format("unknown: {} ({})\n", why, Why(report));
  } else {
    for (const std::string& company : FreeCompany(report)) {
      text.insert(text.size() - 1,
                  fmt::format("; not controlled: {}", company));
    }
  }
  return text;
}

Json TestJson(const TestReport& report) {
  const explore::CampaignResult& result = report.result;
  Json shares = Json::array();
  for (const explore::Planner::Share& share : result.shares) {
    shares.push_back({{"strategy", share.strategy},
                      {"executions", share.executions},
                      {"earned", share.earned}});
  }
  Json findings = Json::array();
  for (const size_t i : Ranked(report)) {
    const Found& found = result.findings[i];
    Json sites = Json::array();
    for (const finding::Where& site : found.finding.sites) {
      sites.push_back({{"function", site.function},
                       {"file", site.place.file},
                       {"line", site.place.line}});
    }
    findings.push_back(
        {{"id", static_cast<uint64_t>(report.told[i].recorded.id)},
         {"kind", finding::WordOf(found.finding.kind)},
         {"severity", finding::WordOf(found.finding.severity)},
         {"verdict", finding::WordOf(found.finding.verdict)},
         {"novelty", NoveltyText(report.told[i].recorded.novelty)},
         {"always", found.finding.always},
         {"first_execution", found.execution},
         {"times", found.times},
         {"repeated", found.repeated},
         {"followed", found.followed},
         {"tried", found.tried},
         {"strategy", found.strategy},
         {"seed", found.seed},
         {"message", found.finding.message},
         {"sites", sites}});
  }
  const ExitCode exit = ExitCodeOf(report);
  Json json = {
      {"command", "test"},
      {"result", exit == ExitCode::kNothingFound ? "ok"
                 : exit == ExitCode::kFindings   ? "failed"
                                                 : "unknown"},
      {"ending", explore::WordOf(result.ending)},
      {"exit_code", static_cast<int>(exit)},
      {"argv", report.argv},
      {"strategy", report.options.strategy},
      {"seed", report.options.seed},
      {"runner", report.result.runner},
      {"instrumented", report.instrumented},
      {"executions", result.progress.executions},
      {"failed", result.progress.failed},
      {"cut", result.progress.cut},
      {"cuts", CutJson(report)},
      {"threads", result.most_threads},
      {"uncontrolled", FreeCompany(report)},
      {"ignored_annotations",
       explore::UnheededAnnotations(result.last_outcome)},
      {"in_process", result.num_in_process},
      {"unrepeated", result.num_unrepeated},
      {"lost_clients", result.num_lost_clients},
      {"seconds", Seconds(report)},
      {"schedules_per_second", Rate(report)},
      {"behaviours", result.progress.behaviours},
      {"predicted", result.num_predicted},
      {"realised", result.num_realised},
      {"harmless", result.harmless},
      {"possible_races", result.possible},
      {"last_new_behaviour", result.last_new_behaviour},
      {"idle_sites", result.num_idle_sites},
      {"shares", shares},
      {"findings", findings},
  };
  Json never = Json::array();
  for (const explore::Claim& claim : result.never) {
    never.push_back({{"message", claim.message}, {"where", claim.where}});
  }
  json["claims"] = {{"number", result.num_claims}, {"never_true", never}};
  if (exit == ExitCode::kUnknown) json["reason"] = WhyUnknown(report);
  if (!report.options.drive.empty()) json["clients"] = result.num_clients;
  if (result.error) json["error"] = ErrorJson(*result.error);
  return json;
}

}  // namespace fairlead::cli
