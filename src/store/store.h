// store/store.h
//
// What outlives a command: programs and their builds, campaigns, findings and
// the schedules that repeat them. An interface of verbs of the domain;
// `OpenStore` gives the one in a file (SQLite). Rows are untrusted: they may
// have been written by a later version or by somebody's editor.
//
// Safe with several campaigns at once, in one process or in many: each verb is
// one short transaction, and waits for others up to ten seconds. Killed at any
// moment, the store holds every verb that has returned.

#ifndef FAIRLEAD_STORE_STORE_H_
#define FAIRLEAD_STORE_STORE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "fact/merge.h"
#include "finding/explanation.h"
#include "finding/finding.h"
#include "store/memo_rows.h"

namespace fairlead::store {

struct Build {
  std::string program;   // the program's name across builds; see ProgramName
  std::string build_id;  // "" = none
  bool instrumented = false;
  uint64_t num_sites = 0;
};

enum class CampaignId : uint64_t {};  // of this process only
// The number that people use, from 1. Of a prediction that no execution has
// shown it is below 0, as a signed number: people call -1 P1 (NameOf).
enum class FindingId : uint64_t {};
constexpr bool IsPrediction(FindingId id) {
  return static_cast<int64_t>(id) < 0;
}
// "7", "P1".
std::string NameOf(FindingId id);

// Executions of a campaign, in one row.
struct Batch {
  uint64_t first = 1;  // number of the first one, from 1
  uint64_t executions = 0;
  uint64_t failed = 0;
  uint64_t cut = 0;
  uint64_t steps = 0;
  uint64_t behaviours = 0;  // new ones
  uint64_t nanoseconds = 0;
};

// `open`: to be fixed. `cleared`: somebody says that it is fixed; if it is seen
// again it is open again. `ignored`: nobody wants to hear of it.
enum class FindingStatus { kOpen, kCleared, kIgnored };
std::string_view WordOf(FindingStatus status);

// What the store knew of a finding when it was recorded.
enum class Novelty {
  kNew,
  kKnown,
  kBack,  // it was cleared
  kIgnored,
};
// "back again".
std::string_view WordOf(Novelty novelty);

struct Recorded {
  FindingId id;
  Novelty novelty;
};

struct StoredFinding {
  FindingId id = FindingId{};
  std::string uuid;
  Build build;                 // that showed it last
  std::string first_build_id;  // that showed it first
  FindingStatus status = FindingStatus::kOpen;
  finding::Finding finding;  // with its witness only from `Load`
  // Of that witness; only from `Load`. None: nobody has explained it.
  std::optional<finding::Explanation> explanation = {};
  Json setting;      // of the campaign that the witness is of
  std::string tool;  // version of the tool that ran it
  uint64_t first_seen_ms = 0;
  uint64_t last_seen_ms = 0;
  uint64_t first_execution = 0;  // in the campaign that the witness is of
  uint64_t times = 0;            // executions that showed it, in all campaigns
  uint64_t num_campaigns = 0;
};

struct StoredCampaign {
  std::string uuid;
  Build build;
  Json setting;
  uint64_t started_ms = 0;
  std::optional<uint64_t> ended_ms;
  std::string ending;  // "" = under way, or killed
  uint64_t executions = 0;
  uint64_t failed = 0;
  uint64_t cut = 0;
  Json result = {};                 // the summary; null = there is none
  std::vector<Batch> batches = {};  // in their order
};

class Store {
 public:
  virtual ~Store() = default;

  // A campaign begins. `setting` is what is needed to do it again.
  virtual Result<CampaignId> BeginCampaign(const Build& build,
                                           const Json& setting,
                                           std::string_view tool) = 0;
  virtual Status RecordExecutions(CampaignId campaign, const Batch& batch) = 0;
  // `ending` is a word: done, stopped, interrupted, failed.
  virtual Status EndCampaign(CampaignId campaign, std::string_view ending,
                             const Json& result) = 0;

  // A campaign has seen `finding`, in its `execution`-th execution. A finding
  // with the same fingerprint is the same one: the witness is then replaced if
  // it is of another build, or if more is known of it now: it is confirmed, or
  // fails always.
  virtual Result<Recorded> RecordFinding(CampaignId campaign,
                                         const finding::Finding& finding,
                                         uint64_t execution) = 0;
  // It has seen it `times` times in all.
  virtual Status CountSightings(CampaignId campaign, FindingId id,
                                uint64_t times) = 0;

  // What is predicted: verdicts `predicted` or `refuted`, each with its aim.
  // One that the store knows is the same one. It stays as it is where a finding
  // shows it already, and where it has been refuted with this build and nothing
  // was tried now.
  virtual Status RecordPredictions(
      CampaignId campaign, std::span<const finding::Finding> predictions) = 0;
  // The prediction of this fingerprint, if it is there, is shown by the finding
  // `id`, which stands for it from now on. (A finding that is recorded with the
  // aim of a prediction takes its place without that.)
  virtual Status ShowPrediction(CampaignId campaign, uint64_t prediction,
                                FindingId id) = 0;

  // All findings, by number, predictions first; of one program if it is given.
  // No witnesses.
  virtual Result<std::vector<StoredFinding>> Findings(
      const std::optional<std::string>& program) = 0;

  // One with its witness; of a prediction that has been shown, what shows it.
  // kNotFound if there is none.
  virtual Result<StoredFinding> Load(FindingId id) = 0;
  virtual Status SetStatus(FindingId id, FindingStatus status) = 0;
  // Keeps it beside the witness, in place of the one before. It goes when the
  // witness is replaced.
  virtual Status Explain(FindingId id,
                         const finding::Explanation& explanation) = 0;

  // What is known across executions; `input` is a digest. What was predicted or
  // tried with another input than `input` is left out.
  virtual Result<MemoRows> LoadMemo(const MemoKey& key, uint64_t input) = 0;
  // Adds to it: exposures and attempts are added up, so that campaigns at the
  // same time lose nothing; the rest is replaced.
  virtual Status AddToMemo(const MemoKey& key, uint64_t input,
                           const MemoRows& changes) = 0;
  // The input that most predictions are of; 0 = none.
  virtual Result<uint64_t> MainInput(const MemoKey& key) = 0;
  // Of one kind, or of all.
  virtual Status ForgetMemo(const std::string& program,
                            const std::optional<std::string>& kind) = 0;
  // Programs of which something of that kind is known, by name.
  virtual Result<std::vector<std::string>> ProgramsWithMemo(
      const std::string& kind) = 0;

  // Facts of all states, by key. Those of a kind that this build does not know
  // are not among them.
  virtual Result<std::vector<fact::Fact>> Facts() = 0;
  // Merges `facts` into those that are kept, which are "ours" in a conflict
  // (fact/merge.h).
  virtual Result<std::vector<fact::Conflict>> MergeFacts(
      std::span<const fact::Fact> facts) = 0;
  // Replaces the one with its key, or adds it.
  virtual Status PutFact(const fact::Fact& fact) = 0;
  // Those that are not there are no error.
  virtual Status ForgetFacts(std::span<const fact::Key> keys) = 0;

  // Somebody may remove or replace the file of a store that is in use: what is
  // written then is lost with the process. If so, writes all that the store
  // holds to where it was, or beside that where another file is now, and gives
  // the place; "" = the file is still there. To be called again after further
  // changes: the store itself stays the one that was opened.
  virtual Result<std::string> PutBackIfRemoved() = 0;

  // The newest first, at most `limit`.
  virtual Result<std::vector<StoredCampaign>> Campaigns(size_t limit) = 0;
};

enum class IfMissing { kCreate, kFail };

// The store in the file at `path`, brought up to date if an older version wrote
// it. Refuses one of a newer version, and files that are no store.
Result<std::unique_ptr<Store>> OpenStore(const std::string& path,
                                         IfMissing if_missing);

// The same where nothing can be written, which OpenStore does when it must: all
// that reads works, and whatever writes fails. An older version is brought up
// to date in memory only.
Result<std::unique_ptr<Store>> OpenStoreToRead(const std::string& path);

// How a program is called across builds in the store at `path`: its path from
// the directory that holds the store's directory, if it lies below that.
std::string ProgramName(const std::string& program_path,
                        const std::string& store_path);

// The reverse: where it is now.
std::string ProgramPath(const std::string& name, const std::string& store_path);

}  // namespace fairlead::store

#endif  // FAIRLEAD_STORE_STORE_H_
