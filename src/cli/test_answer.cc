#include "cli/test_answer.h"

#include <algorithm>

#include "base/text.h"
#include "cli/live_line.h"
#include "explore/judge/fate_words.h"

namespace fairlead::cli {
namespace {

using abi::Uncontrolled;

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ", ";
    text += word;
  }
  return text;
}

std::string WhyAllCut(const explore::CampaignResult& result) {
  std::vector<std::string> reasons;
  for (const auto& [reason, cut] : result.cuts) reasons.push_back(reason);
  if (reasons.empty()) return "no execution came to its end";
  return fmt::format("every execution was cut short: {}", Joined(reasons));
}

// Whether there may have been threads that were not under control. A child that
// only goes on from fork has one.
bool MayHaveRunElsewhere(const TestReport& report) {
  constexpr Uncontrolled kElsewhere[] = {
      Uncontrolled::kForeignThread, Uncontrolled::kExec,
      Uncontrolled::kProcessShared, Uncontrolled::kChildProgram};
  return std::ranges::any_of(kElsewhere, [&](Uncontrolled what) {
    return report.result.last_outcome.uncontrolled[static_cast<size_t>(what)] !=
           0;
  });
}

}  // namespace

std::vector<std::string> FreeCompany(const TestReport& report) {
  static constexpr struct {
    Uncontrolled what;
    std::string_view one;
    std::string_view many;
  } kCompany[] = {
      {Uncontrolled::kForkedChild, "child process", "child processes"},
      {Uncontrolled::kForeignThread, "thread not made by pthread_create",
       "threads not made by pthread_create"},
      {Uncontrolled::kExec, "program that it became by exec",
       "programs that it became by exec"},
  };
  std::vector<std::string> company;
  for (const auto& [what, one, many] : kCompany) {
    const uint64_t number =
        report.result.last_outcome.uncontrolled[static_cast<size_t>(what)];
    if (number == 0) continue;
    company.push_back(
        fmt::format("{} {}", Grouped(number), number == 1 ? one : many));
  }
  return company;
}

std::string WhyUnknown(const TestReport& report) {
  const explore::CampaignResult& result = report.result;
  if (result.ending == explore::CampaignEnding::kInterrupted) {
    return "no answer";
  }
  if (result.progress.executions == result.progress.cut) {
    return WhyAllCut(result);
  }
  if (const auto waited =
          result.cuts.find(std::string(explore::kWaitedOutside));
      waited != result.cuts.end()) {
    return fmt::format(
        "{} of {} executions {}: a client, a message, a signal of another "
        "process",
        Grouped(waited->second.times), Grouped(result.progress.executions),
        waited->first);
  }
  if (const auto spun = result.cuts.find(std::string(explore::kSpun));
      spun != result.cuts.end()) {
    return fmt::format(
        "{} of {} executions did not end: a thread {}, perhaps for ever; see "
        "above where",
        Grouped(spun->second.times), Grouped(result.progress.executions),
        spun->first);
  }
  if (!report.options.drive.empty() && result.num_clients == 0) {
    return "the client never ran: the program neither listened nor called "
           "fairlead_ready() before it ended";
  }
  const std::vector<std::string> company = FreeCompany(report);
  if (company.empty()) return "";
  if (result.most_threads <= 1 && MayHaveRunElsewhere(report)) {
    return fmt::format(
        "nothing ran under control but one thread, beside {}; give fairlead "
        "the program whose threads are to be tested",
        Joined(company));
  }
  return report.options.strict
             ? fmt::format("not controlled: {} (--strict)", Joined(company))
             : "";
}

std::string CutText(const TestReport& report) {
  std::string text;
  for (const auto& [reason, cut] : report.result.cuts) {
    text += fmt::format("  cut short: {} ({})\n", reason, Grouped(cut.times));
    for (const std::string& line : cut.where) {
      text += fmt::format("    {}\n", line);
    }
  }
  return text;
}

Json CutJson(const TestReport& report) {
  Json cuts = Json::array();
  for (const auto& [reason, cut] : report.result.cuts) {
    cuts.push_back(
        {{"reason", reason}, {"times", cut.times}, {"where", cut.where}});
  }
  return cuts;
}

}  // namespace fairlead::cli
