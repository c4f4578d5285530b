#include "cli/predict_record.h"

#include <filesystem>

#include "analysis/predicted_finding.h"
#include "base/log.h"
#include "base/patience.h"
#include "cli/command.h"
#include "explore/campaign/confirm.h"
#include "explore/names/schedule_of.h"

namespace fairlead::cli {
namespace {

explore::CampaignOptions OptionsOf(const explore::Order& order) {
  explore::CampaignOptions options;
  options.setting = {.program = order.program,
                     .argv = order.argv,
                     .environment = order.environment,
                     .runtime = order.runtime,
                     .stdin_path = ""};
  options.expectations.sanitized = !order.program.sanitizers.Names().empty();
  options.timeout = order.timeout;
  options.tool = Version();
  return options;
}

}  // namespace

PredictRecord::PredictRecord(const std::string& path,
                             const explore::Order& order)
    : options_(OptionsOf(order)),
      oracles_(options_.expectations),
      found_(options_, oracles_) {
  if (const Status begun = Begin(path); !begun) GiveUp(begun.error());
}

PredictRecord::~PredictRecord() {
  if (store_ == nullptr) return;
  const Status ended =
      store_->EndCampaign(campaign_, "done", {{"command", "predict"}});
  if (!ended) GiveUp(ended.error());
}

Status PredictRecord::Begin(const std::string& path) {
  Result<std::unique_ptr<store::Store>> store =
      store::OpenStore(path, store::IfMissing::kCreate);
  if (!store) return store.error();
  const explore::Program& program = options_.setting.program;
  std::error_code error;
  const Result<store::CampaignId> campaign = (*store)->BeginCampaign(
      {.program = store::ProgramName(program.path, path),
       .build_id = program.build_id,
       .instrumented = program.instrumented,
       .num_sites = program.num_sites},
      {{"argv", options_.setting.argv},
       {"program", program.path},
       {"directory", std::filesystem::current_path(error).string()},
       {"command", "predict"}},
      Version());
  if (!campaign) return campaign.error();
  campaign_ = *campaign;
  store_ = *std::move(store);
  return {};
}

// What is predicted is shown all the same.
void PredictRecord::GiveUp(const Error& error) {
  Warn("predictions are not kept: {}", error.Text());
  store_.reset();
}

void PredictRecord::Keep(const explore::Predicted& predicted) {
  if (store_ == nullptr) return;
  std::vector<finding::Finding> findings;
  for (const analysis::Prediction& each : predicted.predictions) {
    findings.push_back(analysis::FindingOf(each, predicted.names));
    findings.back().witness.aim->tried = {"not forced"};
  }
  const Status kept = store_->RecordPredictions(campaign_, findings);
  if (!kept) GiveUp(kept.error());
}

Status PredictRecord::Keep(const analysis::Prediction& prediction,
                           const trace::Names& names,
                           const explore::Forced& forced) {
  if (store_ == nullptr) return {};
  finding::Finding finding = analysis::FindingOf(prediction, names);
  finding::Aim& aim = *finding.witness.aim;
  aim.attempts = forced.attempts + forced.further;
  aim.tried = forced.tried;
  const bool failed = forced.verdict.exit == ExitCode::kFindings;
  // Nothing that is run now comes to its end.
  if (HadEnough() == Enough::kUser) return {};
  finding.verdict = finding::Verdict::kRefuted;
  if (failed && forced.last) {
    const auto shown = Repeated(*forced.last, aim);
    if (!shown) return shown.error();
    if (*shown) {
      const auto recorded = store_->RecordFinding(campaign_, (*shown)->finding,
                                                  (*shown)->execution);
      const Status joined =
          recorded ? store_->ShowPrediction(campaign_, finding.fingerprint,
                                            recorded->id)
                   : Status(recorded.error());
      if (!joined) GiveUp(joined.error());
      return {};
    }
    finding.verdict = finding::Verdict::kPredicted;
    aim.tried.push_back("repeated from its schedule it did not fail again");
  }
  const Status kept = store_->RecordPredictions(campaign_, {&finding, 1});
  if (!kept) GiveUp(kept.error());
  return {};
}

Result<std::optional<explore::Found>> PredictRecord::Repeated(
    const explore::Executed& executed, const finding::Aim& aim) {
  explore::Namer namer(*executed.memory);
  const explore::Setting& setting = options_.setting;
  const trace::Schedule schedule = explore::ScheduleOf(
      executed,
      explore::IdentityOf(setting.program, setting.argv, setting.environment),
      namer);
  const explore::FollowedInputs inputs = explore::LayOutInputs(schedule.inputs);
  const Result<explore::Runner*> fresh = found_.FreshRunner();
  if (!fresh) return fresh.error();
  const Result<explore::Judged> judged = explore::RunAndJudge(
      **fresh,
      explore::TaskFor({.schedule = &schedule, .timeout = options_.timeout},
                       inputs),
      oracles_);
  if (!judged) return judged.error();
  const explore::Judgement& judgement = judged->judgement;
  if (!judgement.failure) return std::optional<explore::Found>();
  explore::Planned planned;
  planned.strategy = explore::DefaultSpec(sched::StrategyId::kDirector);
  planned.seed = schedule.seed;
  planned.aim = std::make_shared<finding::Aim>(aim);
  const explore::FoundList::Added added =
      found_.Add(*judgement.failure, judged->finished,
                 explore::UnderWay(std::move(planned)), aim.attempts);
  if (added.error) return *added.error;
  if (added.unrepeated) return std::optional<explore::Found>();
  return std::optional(found_[added.index]);
}

}  // namespace fairlead::cli
