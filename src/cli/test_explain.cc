#include "cli/test_explain.h"

#include <algorithm>

#include "base/patience.h"
#include "explore/explain/explain.h"

namespace fairlead::cli {
namespace {

using explore::Found;

explore::Subject SubjectOf(const explore::CampaignOptions& campaign,
                           const finding::Finding& finding) {
  const bool has_schedule = finding.witness.schedule.has_value();
  explore::Subject subject = {
      .setting = campaign.setting,
      .finding = &finding,
      .schedule = has_schedule ? &*finding.witness.schedule : nullptr,
      .expectations = campaign.expectations,
      .timeout = campaign.timeout};
  subject.setting.jobs = 1;
  subject.setting.drive.clear();
  subject.expectations.same_output = false;
  if (finding.kind == finding::Kind::kOutput) {
    subject.expectations.output = finding.witness.output;
  }
  return subject;
}

}  // namespace

std::chrono::nanoseconds MinimizingTime(
    std::optional<std::chrono::nanoseconds> time) {
  constexpr std::chrono::nanoseconds kMost = std::chrono::seconds(5);
  return time ? std::min(kMost, *time / 10) : kMost;
}

void ExplainFindings(const explore::CampaignOptions& campaign,
                     const std::vector<Found>& findings,
                     const std::vector<ToldFinding>& told, store::Store& store,
                     std::chrono::steady_clock::time_point deadline) {
  const Deadline until(deadline);
  for (size_t i = 0; i < findings.size() && i < told.size(); ++i) {
    if (ShouldStop()) return;
    const finding::Finding& finding = findings[i].finding;
    if (!told[i].stored || !findings[i].counts ||
        finding.verdict != finding::Verdict::kConfirmed) {
      continue;
    }
    const explore::Subject subject = SubjectOf(campaign, finding);
    if (!explore::NotToBeTried(subject, !campaign.setting.drive.empty())
             .empty()) {
      continue;
    }
    const Result<store::StoredFinding> stored = store.Load(told[i].recorded.id);
    if (!stored || stored->explanation) continue;
    const Result<explore::Explained> explained =
        explore::Explain(subject, {.orders = false});
    if (!explained) continue;
    if (!store.Explain(told[i].recorded.id, explained->explanation)) return;
  }
}

}  // namespace fairlead::cli
