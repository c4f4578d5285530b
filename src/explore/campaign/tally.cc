#include "explore/campaign/tally.h"

#include <algorithm>

#include "explore/judge/cut_short.h"
#include "explore/judge/fate_words.h"

namespace fairlead::explore {
namespace {

void CountOutcome(const Finished& finished, CampaignResult& result) {
  const abi::Outcome before = result.last_outcome;
  abi::Outcome& last = result.last_outcome;
  last = finished.executed.outcome;
  for (size_t i = 0; i < abi::kNumUncontrolled; ++i) {
    last.uncontrolled[i] =
        std::max(last.uncontrolled[i], before.uncontrolled[i]);
  }
  last.unheeded |= before.unheeded;
  result.most_threads =
      std::max<uint32_t>(result.most_threads, last.num_threads);
  result.num_clients += finished.client.has_value();
}

}  // namespace

void CountExecution(const UnderWay& execution, const Finished& finished,
                    CampaignResult& result) {
  Progress& progress = result.progress;
  if (execution.planned.iterations != 0) {
    progress.executions += finished.executed.outcome.explored;
    result.num_in_process += finished.executed.outcome.explored;
  } else {
    ++progress.executions;
  }
  progress.steps += finished.executed.outcome.steps;
  CountOutcome(finished, result);
}

void CountCut(const std::string& reason, const Finished& finished,
              CampaignResult& result) {
  ++result.progress.cut;
  CutShort& cut = result.cuts[reason];
  const bool late =
      finished.executed.outcome.cut_reason == abi::CutReason::kTime ||
      finished.executed.stopped_by == StoppedBy::kTimeout;
  if (late && HadFarMoreTime(finished, result.progress)) ++cut.stuck;
  if (cut.times++ != 0) return;
  Namer namer(*finished.executed.memory);
  cut.where = WhereItWas(finished, namer);
}

bool HadFarMoreTime(const Finished& finished, const Progress& progress) {
  constexpr std::chrono::nanoseconds kLong = std::chrono::seconds(1);
  constexpr int kFarLonger = 16;
  if (progress.executions <= progress.cut) return false;
  const std::chrono::nanoseconds had(finished.executed.memory->plan().max_ns);
  // Those that were cut had as much, and say nothing about the others.
  const std::chrono::nanoseconds others =
      std::max(std::chrono::nanoseconds(progress.elapsed) -
                   had * static_cast<int64_t>(progress.cut),
               std::chrono::nanoseconds(0));
  const std::chrono::nanoseconds usual =
      others / static_cast<int64_t>(progress.executions - progress.cut);
  return had >= std::max(kLong, usual * kFarLonger);
}

bool IsCutByTheEnd(const Judgement& judgement, const Finished& finished,
                   const CampaignOptions& options, const Progress& progress) {
  const std::chrono::nanoseconds had(finished.executed.memory->plan().max_ns);
  const bool by_the_end =
      had.count() != 0 && (!options.timeout || had < *options.timeout);
  if (!by_the_end || progress.executions == 0) return false;
  // One that had far more time than others need was not cut by chance.
  if (HadFarMoreTime(finished, progress)) return false;
  if (judgement.reason == kWaitedOutside) return true;
  return finished.executed.outcome.cut_reason == abi::CutReason::kTime ||
         finished.executed.stopped_by == StoppedBy::kTimeout ||
         finished.executed.stopped_by == StoppedBy::kSuspended;
}

bool NothingToExplore(const CampaignResult& result) {
  constexpr uint64_t kSoMany = 200;
  const Progress& progress = result.progress;
  return progress.executions >= kSoMany && progress.steps == 0 &&
         progress.cut == 0 && result.most_threads == 1 &&
         result.last_outcome.explored == 0;
}

std::string_view WordOf(CampaignEnding ending) {
  switch (ending) {
    case CampaignEnding::kBudget:
      return "budget";
    case CampaignEnding::kFound:
      return "found";
    case CampaignEnding::kExhausted:
      return "exhausted";
    case CampaignEnding::kAlways:
      return "always";
    case CampaignEnding::kNothing:
      return "nothing-to-explore";
    case CampaignEnding::kInterrupted:
      return "interrupted";
  }
  return "";
}

}  // namespace fairlead::explore
