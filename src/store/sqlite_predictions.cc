// Predictions among the findings: recorded by what they predict, taken over by
// what shows them.

#include "store/sqlite_store.h"
#include "store/uuid.h"

namespace fairlead::store {
namespace {

using finding::Finding;
using finding::Verdict;

bool IsShown(std::string_view verdict) {
  return verdict != finding::WordOf(Verdict::kPredicted) &&
         verdict != finding::WordOf(Verdict::kRefuted);
}

}  // namespace

// Numbers of predictions count down from -1, and are not used again.
Result<int64_t> SqliteStore::NextPredictionNumber() {
  Result<Query> next = database_.Prepare(
      "SELECT min(coalesce(min(number), 0), coalesce(min(predicted_as), 0), 0) "
      "- 1 AS next FROM findings");
  if (!next) return next.error();
  if (const Result<bool> row = next->Next(); !row) return row.error();
  return static_cast<int64_t>(next->Number("next"));
}

Status SqliteStore::RecordPrediction(const OwnCampaign& campaign,
                                     const Finding& prediction) {
  Result<Query> find = database_.Prepare(
      "SELECT id, verdict, last_build, same_as FROM findings WHERE program = "
      "?1 AND (fingerprint = ?2 OR prediction = ?2) ORDER BY fingerprint = ?2 "
      "DESC LIMIT 1");
  if (!find) return find.error();
  find->Bind(campaign.program).Bind(prediction.fingerprint);
  const Result<bool> known = find->Next();
  if (!known) return known.error();
  std::string uuid;
  if (*known) {
    uuid = find->Text("id");
    const bool same_build = find->Text("last_build") == campaign.build;
    // What has been tried with this build is not forgotten.
    const std::string verdict = find->Text("verdict");
    const bool tried = verdict == finding::WordOf(Verdict::kRefuted) &&
                       prediction.verdict == Verdict::kPredicted && same_build;
    if (IsShown(verdict) || !find->IsNull("same_as") || tried) return {};
  } else {
    const Result<int64_t> number = NextPredictionNumber();
    if (!number) return number.error();
    uuid = MakeUuid(now_());
    if (Status done = InsertFinding(campaign, prediction, uuid,
                                    static_cast<uint64_t>(*number));
        !done) {
      return done;
    }
  }
  if (Status done = UpdateFinding(campaign, prediction, uuid); !done) {
    return done;
  }
  Result<Query> seen = database_.Prepare(
      "UPDATE findings SET last_seen = ?, "
      "  status = CASE status WHEN 'cleared' THEN 'open' ELSE status END "
      "WHERE id = ?");
  if (!seen) return seen.error();
  if (Status done = seen->Bind(now_()).Bind(uuid).Run(); !done) return done;
  Result<Query> sighting = database_.Prepare(
      "INSERT INTO sightings (finding, campaign, first_execution, times) "
      "VALUES (?, ?, 1, 0) ON CONFLICT DO NOTHING");
  if (!sighting) return sighting.error();
  return sighting->Bind(uuid).Bind(campaign.uuid).Run();
}

Status SqliteStore::RecordPredictions(CampaignId campaign,
                                      std::span<const Finding> predictions) {
  if (predictions.empty()) return {};
  Result<Transaction> transaction = Transaction::Begin(database_);
  if (!transaction) return transaction.error();
  for (const Finding& prediction : predictions) {
    if (Status done = RecordPrediction(Of(campaign), prediction); !done) {
      return done;
    }
  }
  return transaction->Commit();
}

Status SqliteStore::ShowPrediction(CampaignId campaign, uint64_t prediction,
                                   FindingId id) {
  Result<Query> update = database_.Prepare(
      "UPDATE findings SET same_as = (SELECT id FROM findings WHERE number = "
      "?3) WHERE program = ?1 AND fingerprint = ?2 AND number < 0");
  if (!update) return update.error();
  update->Bind(Of(campaign).program).Bind(prediction);
  return update->Bind(static_cast<uint64_t>(id)).Run();
}

// The row of the prediction that `finding` came of becomes that of `finding`,
// with an ordinary number. What the user does not want to hear of stays as it
// is: it must not hide what has been shown.
Result<std::optional<std::string>> SqliteStore::TakeOverPrediction(
    const OwnCampaign& campaign, const Finding& finding, uint64_t number) {
  if (!finding.witness.aim || finding.witness.aim->prediction == 0) {
    return std::nullopt;
  }
  Result<Query> find = database_.Prepare(
      "SELECT id FROM findings WHERE program = ? AND fingerprint = ? AND "
      "number < 0 AND same_as IS NULL AND status <> 'ignored'");
  if (!find) return find.error();
  find->Bind(campaign.program).Bind(finding.witness.aim->prediction);
  const Result<bool> row = find->Next();
  if (!row) return row.error();
  if (!*row) return std::nullopt;
  const std::string uuid = find->Text("id");
  Result<Query> update = database_.Prepare(
      "UPDATE findings SET predicted_as = number, number = ?, kind = ?, "
      "severity = ?, status = 'open', first_build = ?, first_seen = ? "
      "WHERE id = ?");
  if (!update) return update.error();
  update->Bind(number).Bind(finding::WordOf(finding.kind));
  update->Bind(finding::WordOf(finding.severity)).Bind(campaign.build);
  if (Status done = update->Bind(now_()).Bind(uuid).Run(); !done) {
    return done.error();
  }
  // No execution had shown it.
  Result<Query> sightings =
      database_.Prepare("DELETE FROM sightings WHERE finding = ?");
  if (!sightings) return sightings.error();
  if (Status done = sightings->Bind(uuid).Run(); !done) return done.error();
  return std::optional(uuid);
}

}  // namespace fairlead::store
