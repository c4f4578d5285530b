// cli/predict_record.h
//
// Between `fairlead predict` and the store: what is predicted is kept, and what
// came of it when it was forced. An interleaving that made the program fail is
// repeated from its schedule, and kept as the finding that it shows.

#ifndef FAIRLEAD_CLI_PREDICT_RECORD_H_
#define FAIRLEAD_CLI_PREDICT_RECORD_H_

#include <memory>
#include <optional>
#include <string>

#include "analysis/prediction.h"
#include "explore/aim/force.h"
#include "explore/campaign/found_list.h"
#include "explore/judge/oracles.h"
#include "explore/run/execution.h"
#include "explore/watch/prediction_observer.h"
#include "store/store.h"

namespace fairlead::cli {

class PredictRecord {
 public:
  // Where there can be no store at `path`, that is said once, and nothing is
  // kept.
  PredictRecord(const std::string& path, const explore::Order& order);
  ~PredictRecord();

  void Keep(const explore::Predicted& predicted);
  // `forced` is what came of it. An error means that no execution could be
  // started.
  Status Keep(const analysis::Prediction& prediction, const trace::Names& names,
              const explore::Forced& forced);

 private:
  Status Begin(const std::string& path);
  // The failure of the execution, repeated; nothing if it did not fail again.
  Result<std::optional<explore::Found>> Repeated(
      const explore::Executed& executed, const finding::Aim& aim);
  void GiveUp(const Error& error);

  explore::CampaignOptions options_;
  explore::Oracles oracles_;
  explore::FoundList found_;
  std::unique_ptr<store::Store> store_;  // null = nothing is kept
  store::CampaignId campaign_ = {};
};

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_PREDICT_RECORD_H_
