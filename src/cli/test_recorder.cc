#include "cli/test_recorder.h"

#include "base/log.h"

namespace fairlead::cli {
namespace {

// How often the store hears of executions, and of iRoots.
constexpr std::chrono::seconds kBatchTime(1);
constexpr std::chrono::seconds kMemoTime(10);

}  // namespace

// What a full disk did not take: the campaign goes on, since what it finds is
// printed, and kept in a file if there is room for one anywhere.
Status TestRecorder::WithoutRoom(Status put) {
  if (put || put.error().code() != ErrorCode::kNoSpace) return put;
  if (!full_) {
    line_.Clear();
    Warn("{}; what is found from now on is printed, but not kept there",
         put.error().Text());
  }
  full_ = true;
  return {};
}

Status TestRecorder::OnProgress(const explore::Progress& progress) {
  line_.Update(progress);
  if (progress.elapsed - memo_kept_at_ >= kMemoTime) {
    memo_kept_at_ = progress.elapsed;
    if (full_) return {};
    if (Status kept = WithoutRoom(keep_memo_()); !kept) return kept;
  }
  if (progress.elapsed - told_.elapsed < kBatchTime) return {};
  return WithoutRoom(TellExecutions(progress));
}

Result<bool> TestRecorder::OnFinding(const explore::Found& found) {
  ToldFinding told;
  if (const auto line = suppressions_.Match(found.finding)) {
    told.suppressed_by = *line;
    told_findings.push_back(told);
    return false;
  }
  Result<store::Recorded> recorded =
      store_.RecordFinding(campaign_, found.finding, found.execution);
  if (!recorded) {
    if (Status put = WithoutRoom(recorded.error()); !put) return put.error();
  } else {
    told.recorded = *recorded;
    told.stored = true;
  }
  const bool counts =
      !told.stored || told.recorded.novelty != store::Novelty::kIgnored;
  // Told again once more is known of it.
  if (!kept_.insert(found.finding.fingerprint).second) return counts;
  told_findings.push_back(told);
  return counts;
}

Status TestRecorder::OnForecasts(
    const std::vector<explore::Forecast>& forecasts) {
  std::vector<finding::Finding> open;
  for (const explore::Forecast& each : forecasts) {
    if (suppressions_.Match(each.finding)) continue;
    const size_t by = each.shown_by.value_or(told_findings.size());
    if (by >= told_findings.size() || !told_findings[by].stored) {
      open.push_back(each.finding);
    } else if (Status shown =
                   store_.ShowPrediction(campaign_, each.finding.fingerprint,
                                         told_findings[by].recorded.id);
               !shown) {
      if (Status put = WithoutRoom(shown); !put) return put;
    }
  }
  return WithoutRoom(store_.RecordPredictions(campaign_, open));
}

Status TestRecorder::PutBackStore() {
  const Result<std::string> place = store_.PutBackIfRemoved();
  if (!place) return place.error();
  if (place->empty() || place_ == *place) return {};
  place_ = *place;
  line_.Clear();
  Warn("the store {} was removed or replaced meanwhile; what it held is in {}",
       options_.store, place_);
  return {};
}

Status TestRecorder::TellExecutions(const explore::Progress& progress) {
  if (full_ || progress.executions == told_.executions) return {};
  const store::Batch batch = {
      .first = told_.executions + 1,
      .executions = progress.executions - told_.executions,
      .failed = progress.failed - told_.failed,
      .cut = progress.cut - told_.cut,
      .steps = progress.steps - told_.steps,
      .behaviours = progress.behaviours - told_.behaviours,
      .nanoseconds =
          static_cast<uint64_t>((progress.elapsed - told_.elapsed).count())};
  told_ = progress;
  if (Status put = PutBackStore(); !put) return put;
  return store_.RecordExecutions(campaign_, batch);
}

}  // namespace fairlead::cli
