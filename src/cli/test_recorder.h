// cli/test_recorder.h
//
// Between a campaign of `fairlead test` and the store, the suppressions and the
// terminal: what is found is kept at once, executions and iRoots now and then.

#ifndef FAIRLEAD_CLI_TEST_RECORDER_H_
#define FAIRLEAD_CLI_TEST_RECORDER_H_

#include <chrono>
#include <functional>
#include <set>
#include <vector>

#include "base/log.h"
#include "cli/live_line.h"
#include "cli/test_options.h"
#include "cli/test_report.h"
#include "explore/campaign/campaign.h"
#include "finding/suppressions.h"
#include "store/store.h"

namespace fairlead::cli {

class TestRecorder final : public explore::CampaignObserver {
 public:
  // `keep_memo` writes what has been learnt of iRoots to the store.
  TestRecorder(const TestOptions& options, store::Store& store,
               store::CampaignId campaign,
               const finding::Suppressions& suppressions, LiveLine& line,
               std::function<Status()> keep_memo)
      : options_(options),
        store_(store),
        campaign_(campaign),
        suppressions_(suppressions),
        line_(line),
        keep_memo_(std::move(keep_memo)) {}

  void OnOtherRunner(const std::vector<std::string>& reasons) override {
    if (options_.quiet) return;
    line_.Clear();
    for (const std::string& reason : reasons) Note("{}", reason);
  }
  Status OnProgress(const explore::Progress& progress) override;
  Result<bool> OnFinding(const explore::Found& found) override;
  Status OnForecasts(const std::vector<explore::Forecast>& forecasts) override;

  // Tells the store of the executions since the last time.
  Status TellExecutions(const explore::Progress& progress);

  // `put`, unless what it says is that the disk is full: that is said once.
  Status WithoutRoom(Status put);

  // If the store's file was removed or replaced, says where its contents are.
  Status PutBackStore();

  std::vector<ToldFinding> told_findings;  // in the order of the campaign's

 private:
  const TestOptions& options_;
  store::Store& store_;
  store::CampaignId campaign_;
  const finding::Suppressions& suppressions_;
  LiveLine& line_;
  std::function<Status()> keep_memo_;
  std::set<uint64_t> kept_;  // fingerprints of what the store knows
  std::chrono::nanoseconds memo_kept_at_ = {};
  explore::Progress told_;
  bool full_ = false;  // the store took something no longer
  std::string place_;  // where the store was put back; "" = it was not
};

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_TEST_RECORDER_H_
