#include "explore/campaign/answer.h"

#include <algorithm>

#include "base/text.h"
#include "explore/judge/fate_words.h"

namespace fairlead::explore {
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

std::string WhyAllCut(const CampaignResult& result) {
  std::vector<std::string> reasons;
  for (const auto& [reason, cut] : result.cuts) reasons.push_back(reason);
  if (reasons.empty()) return "no execution came to its end";
  return fmt::format("every execution was cut short: {}", Joined(reasons));
}

// Whether there may have been threads that were not under control. A child that
// only goes on from fork has one.
bool MayHaveRunElsewhere(const CampaignResult& result) {
  constexpr Uncontrolled kElsewhere[] = {
      Uncontrolled::kForeignThread, Uncontrolled::kExec,
      Uncontrolled::kProcessShared, Uncontrolled::kChildProgram};
  return std::ranges::any_of(kElsewhere, [&](Uncontrolled what) {
    return result.last_outcome.uncontrolled[static_cast<size_t>(what)] != 0;
  });
}

// Executions that had far more time than others need: they may never end.
std::string WhoIsStuck(const CampaignResult& result) {
  uint64_t stuck = 0;
  for (const auto& [reason, cut] : result.cuts) stuck += cut.stuck;
  if (stuck == 0) return "";
  return fmt::format(
      "{} of {} executions did not end in far more time than the others take, "
      "though threads could run: perhaps they never would; see above where",
      Grouped(stuck), Grouped(result.progress.executions));
}

}  // namespace

std::vector<std::string> FreeCompany(const CampaignResult& result) {
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
        result.last_outcome.uncontrolled[static_cast<size_t>(what)];
    if (number == 0) continue;
    company.push_back(
        fmt::format("{} {}", Grouped(number), number == 1 ? one : many));
  }
  return company;
}

std::string WhyUnknown(const CampaignResult& result, const Asked& asked) {
  if (result.ending == CampaignEnding::kInterrupted) {
    return "no answer";
  }
  if (result.error) return "the campaign broke off";
  if (result.progress.executions == result.progress.cut) {
    return WhyAllCut(result);
  }
  if (const auto waited = result.cuts.find(std::string(kWaitedOutside));
      waited != result.cuts.end()) {
    return fmt::format(
        "{} of {} executions {}: a client, a message, a signal of another "
        "process",
        Grouped(waited->second.times), Grouped(result.progress.executions),
        waited->first);
  }
  if (const auto spun = result.cuts.find(std::string(kSpun));
      spun != result.cuts.end()) {
    return fmt::format(
        "{} of {} executions did not end: a thread {}, perhaps for ever; see "
        "above where",
        Grouped(spun->second.times), Grouped(result.progress.executions),
        spun->first);
  }
  if (const std::string stuck = WhoIsStuck(result); !stuck.empty()) {
    return stuck;
  }
  if (asked.driven && result.num_clients == 0) {
    return "the client never ran to its end: the program neither listened nor "
           "called fairlead_ready() before it ended, or was done long before "
           "its client";
  }
  const std::vector<std::string> company = FreeCompany(result);
  if (company.empty()) return "";
  if (result.most_threads <= 1 && MayHaveRunElsewhere(result)) {
    return fmt::format(
        "nothing ran under control but one thread, beside {}; give fairlead "
        "the program whose threads are to be tested",
        Joined(company));
  }
  return asked.strict
             ? fmt::format("not controlled: {} (--strict)", Joined(company))
             : "";
}

std::string WhyEnded(const CampaignResult& result) {
  if (result.error) return "it could not go on";
  if (result.findings.empty() && result.most_threads == 1 &&
      FreeCompany(result).empty() && result.progress.steps == 0 &&
      result.progress.cut == 0 && result.ending == CampaignEnding::kBudget) {
    return "one thread: nothing to explore";
  }
  switch (result.ending) {
    case CampaignEnding::kBudget:
      return result.time_over ? "the time is over" : "all executions were run";
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

}  // namespace fairlead::explore
