#include "base/check.h"
#include "finding/same_cause.h"
#include "store/blob.h"
#include "store/finding_json.h"
#include "store/sqlite_store.h"
#include "store/uuid.h"

namespace fairlead::store {
namespace {

using finding::Finding;

constexpr std::string_view kStatuses[] = {"open", "cleared", "ignored"};

FindingStatus StatusFromUntrusted(std::string_view word) {
  for (size_t i = 0; i < std::size(kStatuses); ++i) {
    if (kStatuses[i] == word) return static_cast<FindingStatus>(i);
  }
  return FindingStatus::kOpen;
}

// What both `Findings` and `Load` read.
constexpr std::string_view kColumns =
    "SELECT f.number, f.id, p.path, b.build_id, b.instrumented, b.num_sites, "
    "  g.build_id AS first_build_id, f.status, f.kind, f.severity, f.verdict, "
    "f.always, "
    "  f.message, f.details, f.sites, f.fingerprint, c.setting, c.tool, "
    "  f.first_seen, f.last_seen, "
    "  coalesce((SELECT first_execution FROM sightings WHERE finding = f.id "
    "            AND campaign = f.campaign), 0) AS first_execution, "
    "  coalesce((SELECT sum(times) FROM sightings WHERE finding = f.id), 0) "
    "    AS times, "
    "  (SELECT count(*) FROM sightings WHERE finding = f.id) AS num_campaigns, "
    "  f.schedule, f.witness, f.explanation "
    "FROM findings f JOIN programs p ON p.id = f.program "
    "JOIN builds b ON b.id = f.last_build "
    "JOIN builds g ON g.id = f.first_build "
    "JOIN campaigns c ON c.id = f.campaign ";

// The row that people mean by a number: also one that it had as a prediction,
// and of a prediction that another finding shows, that one.
constexpr std::string_view kIdOfNumber =
    "(SELECT coalesce(n.same_as, n.id) FROM findings n "
    " WHERE ? IN (n.number, n.predicted_as))";

Finding FindingFrom(const Query& query) {
  Finding finding;
  const auto kind = finding::FindFindingKind(query.Text("kind"));
  finding.kind = kind.value_or(finding::Kind::kCrash);
  finding.severity = finding::FindSeverity(query.Text("severity"))
                         .value_or(finding::SeverityOf(finding.kind));
  finding.verdict = finding::FindVerdict(query.Text("verdict"))
                        .value_or(finding::Verdict::kUnknown);
  finding.always = query.Flag("always");
  finding.message = query.Text("message");
  if (!kind) {
    finding.message += fmt::format(" (of a kind unknown to this build: {})",
                                   query.Text("kind"));
  }
  if (const Result<Json> details = ParseJson(query.Text("details"));
      details && details->is_array()) {
    for (const Json& line : *details) {
      if (line.is_string()) finding.details.push_back(line);
    }
  }
  if (const Result<Json> sites = ParseJson(query.Text("sites")); sites) {
    finding.sites = SitesFromUntrusted(*sites);
  }
  finding.fingerprint = query.Number("fingerprint");
  return finding;
}

StoredFinding StoredFrom(const Query& query) {
  const Result<Json> setting = ParseJson(query.Text("setting"));
  return {.id = FindingId{query.Number("number")},
          .uuid = query.Text("id"),
          .build = {.program = query.Text("path"),
                    .build_id = query.Text("build_id"),
                    .instrumented = query.Flag("instrumented"),
                    .num_sites = query.Number("num_sites")},
          .first_build_id = query.Text("first_build_id"),
          .status = StatusFromUntrusted(query.Text("status")),
          .finding = FindingFrom(query),
          .setting = setting ? *setting : Json::object(),
          .tool = query.Text("tool"),
          .first_seen_ms = query.Number("first_seen"),
          .last_seen_ms = query.Number("last_seen"),
          .first_execution = query.Number("first_execution"),
          .times = query.Number("times"),
          .num_campaigns = query.Number("num_campaigns")};
}

Error NoSuchFinding(FindingId id, const std::string& path) {
  return Error(ErrorCode::kUsage)
      .Say("no finding has the number {} in {}", NameOf(id), path)
      .Hint("fairlead bugs lists them");
}

// Whether the new witness tells more than the one that is stored.
bool IsBetter(const Finding& now, std::string_view stored_verdict) {
  return now.verdict == finding::Verdict::kConfirmed &&
         stored_verdict != finding::WordOf(finding::Verdict::kConfirmed);
}

}  // namespace

std::string NameOf(FindingId id) {
  if (!IsPrediction(id)) return fmt::format("{}", static_cast<uint64_t>(id));
  return fmt::format("P{}", -static_cast<uint64_t>(id));
}

std::string_view WordOf(Novelty novelty) {
  switch (novelty) {
    case Novelty::kNew:
      return "new";
    case Novelty::kKnown:
      return "known";
    case Novelty::kBack:
      return "back again";
    case Novelty::kIgnored:
      return "ignored";
  }
  return "";
}

std::string_view WordOf(FindingStatus status) {
  return kStatuses[static_cast<size_t>(status)];
}

Result<std::string> SqliteStore::ScheduleRow(const OwnCampaign& campaign,
                                             const finding::Witness& witness) {
  std::string id = MakeUuid(now_());
  Result<Query> insert = database_.Prepare(
      "INSERT INTO schedules (id, build, text, idle_sites, ordered_sites) "
      "VALUES (?, ?, ?, ?, ?)");
  if (!insert) return insert.error();
  insert->Bind(id).Bind(campaign.build);
  insert->BindBlob(Compress(trace::PrintSchedule(*witness.schedule, {})));
  // The columns of quiet sites are of schedules that had none.
  insert->BindBlob("").BindBlob("");
  if (Status done = insert->Run(); !done) return done.error();
  return id;
}

Status SqliteStore::InsertFinding(const OwnCampaign& campaign,
                                  const Finding& finding,
                                  const std::string& uuid, uint64_t number) {
  const uint64_t now = now_();
  Result<Query> insert = database_.Prepare(
      "INSERT INTO findings (id, number, program, fingerprint, kind, severity, "
      "  verdict, status, always, message, details, sites, first_build, "
      "  last_build, first_seen, last_seen, campaign, witness) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, 'open', ?, ?, ?, ?, ?, ?, ?, ?, ?, x'')");
  if (!insert) return insert.error();
  insert->Bind(uuid).Bind(number).Bind(campaign.program);
  insert->Bind(finding.fingerprint).Bind(finding::WordOf(finding.kind));
  insert->Bind(finding::WordOf(finding.severity));
  insert->Bind(finding::WordOf(finding.verdict)).Bind(finding.always);
  insert->Bind(finding.message).Bind(JsonText(finding.details));
  insert->Bind(JsonText(SitesJson(finding.sites)));
  insert->Bind(campaign.build).Bind(campaign.build).Bind(now).Bind(now);
  return insert->Bind(campaign.uuid).Run();
}

Status SqliteStore::UpdateFinding(const OwnCampaign& campaign,
                                  const Finding& finding,
                                  const std::string& uuid) {
  std::optional<std::string> schedule;
  if (finding.witness.schedule) {
    Result<std::string> row = ScheduleRow(campaign, finding.witness);
    if (!row) return row.error();
    schedule = *std::move(row);
  }
  Result<Query> update = database_.Prepare(
      "UPDATE findings SET verdict = ?, always = ?, message = ?, details = ?, "
      "  sites = ?, last_build = ?, campaign = ?, witness = ?, schedule = ?, "
      "  explanation = NULL, "
      "  fingerprint = ?, prediction = coalesce(?, prediction) WHERE id = ?");
  if (!update) return update.error();
  update->Bind(finding::WordOf(finding.verdict)).Bind(finding.always);
  update->Bind(finding.message).Bind(JsonText(finding.details));
  update->Bind(JsonText(SitesJson(finding.sites))).Bind(campaign.build);
  update->Bind(campaign.uuid);
  update->BindBlob(Compress(JsonText(WitnessJson(finding.witness))));
  schedule ? update->Bind(*schedule) : update->BindNull();
  update->Bind(finding.fingerprint);
  const std::optional<finding::Aim>& aim = finding.witness.aim;
  const bool predicted = aim && aim->prediction != 0;
  predicted ? update->Bind(aim->prediction) : update->BindNull();
  return update->Bind(uuid).Run();
}

Result<std::optional<uint64_t>> SqliteStore::FingerprintOfCause(
    const OwnCampaign& campaign, const Finding& finding) {
  if (!finding::IsToldByCause(finding.kind)) return std::nullopt;
  Result<Query> query =
      database_.Prepare(fmt::format("{} WHERE f.program = ? AND f.kind = ? AND "
                                    "f.status <> 'ignored' AND f.number > 0 "
                                    "ORDER BY f.number",
                                    kColumns));
  if (!query) return query.error();
  query->Bind(campaign.program).Bind(finding::WordOf(finding.kind));
  while (true) {
    const Result<bool> row = query->Next();
    if (!row) return row.error();
    if (!*row) return std::nullopt;
    Finding other = FindingFrom(*query);
    if (other.fingerprint == finding.fingerprint) return std::nullopt;
    if (!LoadWitness("", query->Text("witness"), other)) continue;
    if (finding::HaveOneCause(other, finding)) return other.fingerprint;
  }
}

Result<Recorded> SqliteStore::RecordFinding(CampaignId campaign_id,
                                            const Finding& finding,
                                            uint64_t execution) {
  const OwnCampaign& campaign = Of(campaign_id);
  Result<Transaction> transaction = Transaction::Begin(database_);
  if (!transaction) return transaction.error();
  const auto cause = FingerprintOfCause(campaign, finding);
  if (!cause) return cause.error();
  Result<Query> find = database_.Prepare(
      "SELECT id, number, status, verdict, last_build, always FROM findings "
      "WHERE program = ? AND fingerprint = ?");
  if (!find) return find.error();
  find->Bind(campaign.program).Bind(cause->value_or(finding.fingerprint));
  const Result<bool> known = find->Next();
  if (!known) return known.error();

  Recorded recorded = {.id = FindingId{}, .novelty = Novelty::kNew};
  std::string uuid;
  bool replace = true;
  if (*known) {
    uuid = find->Text("id");
    recorded.id = FindingId{find->Number("number")};
    const FindingStatus status = StatusFromUntrusted(find->Text("status"));
    recorded.novelty = status == FindingStatus::kCleared   ? Novelty::kBack
                       : status == FindingStatus::kIgnored ? Novelty::kIgnored
                                                           : Novelty::kKnown;
    replace = find->Text("last_build") != campaign.build ||
              IsBetter(finding, find->Text("verdict")) ||
              (finding.always && !find->Flag("always"));
  } else {
    Result<Query> next = database_.Prepare(
        "SELECT max(coalesce(max(number), 0), 0) + 1 AS next FROM findings");
    if (!next) return next.error();
    if (const Result<bool> row = next->Next(); !row) return row.error();
    const uint64_t number = next->Number("next");
    recorded.id = FindingId{number};
    const auto taken = TakeOverPrediction(campaign, finding, number);
    if (!taken) return taken.error();
    uuid = taken->value_or(MakeUuid(now_()));
    if (!*taken) {
      if (Status done = InsertFinding(campaign, finding, uuid, number); !done) {
        return done.error();
      }
    }
  }
  if (replace) {
    if (Status done = UpdateFinding(campaign, finding, uuid); !done) {
      return done.error();
    }
  }
  Result<Query> seen = database_.Prepare(
      "UPDATE findings SET last_seen = ?, "
      "  status = CASE status WHEN 'cleared' THEN 'open' ELSE status END "
      "WHERE id = ?");
  if (!seen) return seen.error();
  if (Status done = seen->Bind(now_()).Bind(uuid).Run(); !done) {
    return done.error();
  }
  Result<Query> sighting = database_.Prepare(
      "INSERT INTO sightings (finding, campaign, first_execution, times) "
      "VALUES (?, ?, ?, 1) ON CONFLICT DO NOTHING");
  if (!sighting) return sighting.error();
  sighting->Bind(uuid).Bind(campaign.uuid).Bind(execution);
  if (Status done = sighting->Run(); !done) return done.error();
  if (Status done = transaction->Commit(); !done) return done.error();
  return recorded;
}

Status SqliteStore::CountSightings(CampaignId campaign, FindingId id,
                                   uint64_t times) {
  Result<Query> update = database_.Prepare(
      "UPDATE sightings SET times = ? WHERE campaign = ? AND finding = "
      "(SELECT id FROM findings WHERE number = ?)");
  if (!update) return update.error();
  update->Bind(times).Bind(Of(campaign).uuid);
  return update->Bind(static_cast<uint64_t>(id)).Run();
}

Result<std::vector<StoredFinding>> SqliteStore::Findings(
    const std::optional<std::string>& program) {
  Result<Query> query = database_.Prepare(
      fmt::format("{} WHERE (?1 = '' OR p.path = ?1) AND f.same_as IS NULL "
                  "ORDER BY f.number",
                  kColumns));
  if (!query) return query.error();
  query->Bind(program.value_or(""));
  std::vector<StoredFinding> findings;
  while (true) {
    const Result<bool> row = query->Next();
    if (!row) return row.error();
    if (!*row) return findings;
    findings.push_back(StoredFrom(*query));
  }
}

Status SqliteStore::LoadWitness(const std::string& schedule,
                                const std::string& blob, Finding& finding) {
  const Result<std::string> text = DecompressUntrusted(blob);
  if (!text) return text.error().In(database_.path());
  const Result<Json> json = ParseJson(*text);
  if (!json) return json.error().In(database_.path());
  Result<finding::Witness> witness = WitnessFromUntrusted(*json);
  if (!witness) return witness.error().In(database_.path());
  finding.witness = *std::move(witness);
  if (schedule.empty()) return {};
  Result<Query> query = database_.Prepare(
      "SELECT text, idle_sites, ordered_sites FROM schedules WHERE id = ?");
  if (!query) return query.error();
  const Result<bool> row = query->Bind(schedule).Next();
  if (!row) return row.error();
  if (!*row) return {};
  const Result<std::string> schedule_text =
      DecompressUntrusted(query->Text("text"));
  if (!schedule_text) return schedule_text.error().In(database_.path());
  Result<trace::Schedule> parsed =
      trace::ParseScheduleUntrusted(*schedule_text);
  if (!parsed) return parsed.error().In(database_.path());
  trace::QuietSites& quiet = parsed->quiet;
  for (auto [column, ids] : {std::pair("idle_sites", &quiet.idle),
                             {"ordered_sites", &quiet.ordered}}) {
    const std::string packed = query->Text(column);
    if (packed.empty()) continue;
    const Result<std::string> unpacked = DecompressUntrusted(packed);
    if (!unpacked) return unpacked.error().In(database_.path());
    *ids = SiteIdsFromUntrusted(*unpacked);
  }
  finding.witness.schedule = *std::move(parsed);
  return {};
}

Result<StoredFinding> SqliteStore::Load(FindingId id) {
  Result<Query> query = database_.Prepare(
      fmt::format("{} WHERE f.id = {}", kColumns, kIdOfNumber));
  if (!query) return query.error();
  const Result<bool> row = query->Bind(static_cast<uint64_t>(id)).Next();
  if (!row) return row.error();
  if (!*row) return NoSuchFinding(id, database_.path());
  StoredFinding stored = StoredFrom(*query);
  if (Status done = LoadWitness(query->Text("schedule"), query->Text("witness"),
                                stored.finding);
      !done) {
    return done.error();
  }
  stored.explanation = ExplanationFromUntrusted(query->Text("explanation"));
  return stored;
}

Status SqliteStore::SetStatus(FindingId id, FindingStatus status) {
  Result<Query> update = database_.Prepare(
      fmt::format("UPDATE findings SET status = ? WHERE id = {} RETURNING "
                  "number",
                  kIdOfNumber));
  if (!update) return update.error();
  update->Bind(WordOf(status)).Bind(static_cast<uint64_t>(id));
  const Result<bool> row = update->Next();
  if (!row) return row.error();
  if (!*row) return NoSuchFinding(id, database_.path());
  return update->Run();
}

}  // namespace fairlead::store
