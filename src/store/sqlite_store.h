// store/sqlite_store.h
//
// The store in a SQLite database. Each query stands beside the verb that runs
// it.

#ifndef FAIRLEAD_STORE_SQLITE_STORE_H_
#define FAIRLEAD_STORE_SQLITE_STORE_H_

#include <functional>
#include <string>
#include <vector>

#include "store/database.h"
#include "store/store.h"

namespace fairlead::store {

// Milliseconds since 1970; tests have their own.
using Now = std::function<uint64_t()>;

class SqliteStore final : public Store {
 public:
  // The database has our schema.
  SqliteStore(Database database, Now now)
      : database_(std::move(database)),
        now_(std::move(now)),
        file_(FileAt(database_.path())) {}

  // In sqlite_put_back.cc.
  Result<std::string> PutBackIfRemoved() override;

  Result<CampaignId> BeginCampaign(const Build& build, const Json& setting,
                                   std::string_view tool) override;
  Status RecordExecutions(CampaignId campaign, const Batch& batch) override;
  Status EndCampaign(CampaignId campaign, std::string_view ending,
                     const Json& result) override;
  Result<std::vector<StoredCampaign>> Campaigns(size_t limit) override;

  // In sqlite_findings.cc.
  Result<Recorded> RecordFinding(CampaignId campaign,
                                 const finding::Finding& finding,
                                 uint64_t execution) override;
  Status CountSightings(CampaignId campaign, FindingId id,
                        uint64_t times) override;
  Result<std::vector<StoredFinding>> Findings(
      const std::optional<std::string>& program) override;
  Result<StoredFinding> Load(FindingId id) override;
  Status SetStatus(FindingId id, FindingStatus status) override;

  // In sqlite_explanations.cc.
  Status Explain(FindingId id,
                 const finding::Explanation& explanation) override;

  // In sqlite_predictions.cc.
  Status RecordPredictions(
      CampaignId campaign,
      std::span<const finding::Finding> predictions) override;
  Status ShowPrediction(CampaignId campaign, uint64_t prediction,
                        FindingId id) override;

  // In sqlite_memo.cc.
  Result<MemoRows> LoadMemo(const MemoKey& key, uint64_t input) override;
  Status AddToMemo(const MemoKey& key, uint64_t input,
                   const MemoRows& changes) override;
  Result<uint64_t> MainInput(const MemoKey& key) override;
  Status ForgetMemo(const std::string& program,
                    const std::optional<std::string>& kind) override;
  Result<std::vector<std::string>> ProgramsWithMemo(
      const std::string& kind) override;

  // In sqlite_facts.cc.
  Result<std::vector<fact::Fact>> Facts() override;
  Result<std::vector<fact::Conflict>> MergeFacts(
      std::span<const fact::Fact> facts) override;
  Status PutFact(const fact::Fact& fact) override;
  Status ForgetFacts(std::span<const fact::Key> keys) override;

 private:
  // Which file a path leads to; both 0 = none.
  struct FileNumber {
    uint64_t device = 0;
    uint64_t inode = 0;
    bool operator==(const FileNumber&) const = default;
  };
  static FileNumber FileAt(const std::string& path);

  // A campaign that this process has begun.
  struct OwnCampaign {
    std::string uuid;
    std::string program;  // uuids
    std::string build;
  };

  const OwnCampaign& Of(CampaignId id) const;
  // The row's key; made if it is not there. Inside a transaction.
  Result<std::string> ProgramRow(const std::string& path);
  Result<std::string> BuildRow(const std::string& program, const Build& build);
  Result<std::string> ScheduleRow(const OwnCampaign& campaign,
                                  const finding::Witness& witness);
  Status InsertFinding(const OwnCampaign& campaign,
                       const finding::Finding& finding, const std::string& uuid,
                       uint64_t number);
  Status UpdateFinding(const OwnCampaign& campaign,
                       const finding::Finding& finding,
                       const std::string& uuid);
  // The finding of the program that has the cause of this one, under another
  // fingerprint (finding/same_cause.h); none if there is none, or the user does
  // not want to hear of it: what is ignored must not hide what is not.
  Result<std::optional<uint64_t>> FingerprintOfCause(
      const OwnCampaign& campaign, const finding::Finding& finding);
  // Inside a transaction.
  Status RecordPrediction(const OwnCampaign& campaign,
                          const finding::Finding& prediction);
  Result<int64_t> NextPredictionNumber();
  // The row that `finding` has now, as `number`; none if it needs one.
  Result<std::optional<std::string>> TakeOverPrediction(
      const OwnCampaign& campaign, const finding::Finding& finding,
      uint64_t number);
  Status LoadWitness(const std::string& schedule, const std::string& blob,
                     finding::Finding& finding);
  Status LoadMemoItems(const MemoKey& key, uint64_t input, MemoRows& memo);
  Status LoadMemoPlaces(const MemoKey& key, MemoRows& memo);
  Status LoadMemoGrowth(const MemoKey& key, MemoRows& memo);
  // None for what makes no sense.
  static std::optional<finding::Explanation> ExplanationFromUntrusted(
      const std::string& blob);
  Status WriteFact(const fact::Fact& fact);  // inside a transaction

  Database database_;
  Now now_;
  FileNumber file_;                     // that was opened
  std::optional<FileNumber> put_back_;  // the last copy that was made of it
  std::vector<OwnCampaign> campaigns_;  // by CampaignId
};

}  // namespace fairlead::store

#endif  // FAIRLEAD_STORE_SQLITE_STORE_H_
