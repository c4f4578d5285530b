#include "store/sqlite_store.h"

#include "base/check.h"
#include "store/uuid.h"

namespace fairlead::store {

const SqliteStore::OwnCampaign& SqliteStore::Of(CampaignId id) const {
  const auto index = static_cast<size_t>(id);
  FL_CHECK(index < campaigns_.size(), "campaign {}", index);
  return campaigns_[index];
}

Result<std::string> SqliteStore::ProgramRow(const std::string& path) {
  Result<Query> find =
      database_.Prepare("SELECT id FROM programs WHERE path = ?");
  if (!find) return find.error();
  const Result<bool> found = find->Bind(path).Next();
  if (!found) return found.error();
  if (*found) return find->Text("id");
  const uint64_t now = now_();
  std::string id = MakeUuid(now);
  Result<Query> insert = database_.Prepare(
      "INSERT INTO programs (id, path, first_seen) VALUES (?, ?, ?)");
  if (!insert) return insert.error();
  if (Status done = insert->Bind(id).Bind(path).Bind(now).Run(); !done) {
    return done.error();
  }
  return id;
}

Result<std::string> SqliteStore::BuildRow(const std::string& program,
                                          const Build& build) {
  Result<Query> find = database_.Prepare(
      "SELECT id FROM builds WHERE program = ? AND build_id = ?");
  if (!find) return find.error();
  const Result<bool> found = find->Bind(program).Bind(build.build_id).Next();
  if (!found) return found.error();
  if (*found) return find->Text("id");
  const uint64_t now = now_();
  std::string id = MakeUuid(now);
  Result<Query> insert = database_.Prepare(
      "INSERT INTO builds (id, program, build_id, instrumented, num_sites, "
      "  first_seen) VALUES (?, ?, ?, ?, ?, ?)");
  if (!insert) return insert.error();
  insert->Bind(id).Bind(program).Bind(build.build_id);
  insert->Bind(build.instrumented).Bind(build.num_sites).Bind(now);
  if (Status done = insert->Run(); !done) return done.error();
  return id;
}

Result<CampaignId> SqliteStore::BeginCampaign(const Build& build,
                                              const Json& setting,
                                              std::string_view tool) {
  Result<Transaction> transaction = Transaction::Begin(database_);
  if (!transaction) return transaction.error();
  Result<std::string> program = ProgramRow(build.program);
  if (!program) return program.error();
  Result<std::string> build_row = BuildRow(*program, build);
  if (!build_row) return build_row.error();
  const uint64_t now = now_();
  const std::string uuid = MakeUuid(now);
  Result<Query> insert = database_.Prepare(
      "INSERT INTO campaigns (id, build, setting, tool, started) "
      "VALUES (?, ?, ?, ?, ?)");
  if (!insert) return insert.error();
  insert->Bind(uuid).Bind(*build_row).Bind(JsonText(setting));
  if (Status done = insert->Bind(tool).Bind(now).Run(); !done) {
    return done.error();
  }
  if (Status done = transaction->Commit(); !done) return done.error();
  campaigns_.push_back({.uuid = uuid,
                        .program = *std::move(program),
                        .build = *std::move(build_row)});
  return CampaignId{campaigns_.size() - 1};
}

Status SqliteStore::RecordExecutions(CampaignId campaign, const Batch& batch) {
  Result<Query> insert = database_.Prepare(
      "INSERT INTO batches (id, campaign, first, executions, failed, cut, "
      "  steps, behaviours, nanoseconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  if (!insert) return insert.error();
  insert->Bind(MakeUuid(now_())).Bind(Of(campaign).uuid).Bind(batch.first);
  insert->Bind(batch.executions).Bind(batch.failed).Bind(batch.cut);
  insert->Bind(batch.steps).Bind(batch.behaviours).Bind(batch.nanoseconds);
  return insert->Run();
}

Status SqliteStore::EndCampaign(CampaignId campaign, std::string_view ending,
                                const Json& result) {
  Result<Query> update = database_.Prepare(
      "UPDATE campaigns SET ended = ?, ending = ?, result = ? WHERE id = ?");
  if (!update) return update.error();
  update->Bind(now_()).Bind(ending).Bind(JsonText(result));
  return update->Bind(Of(campaign).uuid).Run();
}

namespace {

Result<std::vector<Batch>> BatchesOf(Database& database,
                                     const std::string& campaign) {
  Result<Query> query = database.Prepare(
      "SELECT first, executions, failed, cut, steps, behaviours, nanoseconds "
      "FROM batches WHERE campaign = ? ORDER BY first");
  if (!query) return query.error();
  query->Bind(campaign);
  std::vector<Batch> batches;
  while (true) {
    const Result<bool> row = query->Next();
    if (!row) return row.error();
    if (!*row) return batches;
    batches.push_back({.first = query->Number("first"),
                       .executions = query->Number("executions"),
                       .failed = query->Number("failed"),
                       .cut = query->Number("cut"),
                       .steps = query->Number("steps"),
                       .behaviours = query->Number("behaviours"),
                       .nanoseconds = query->Number("nanoseconds")});
  }
}

}  // namespace

Result<std::vector<StoredCampaign>> SqliteStore::Campaigns(size_t limit) {
  Result<Query> query = database_.Prepare(
      "SELECT c.id, p.path, b.build_id, b.instrumented, b.num_sites, "
      "  c.setting, c.started, c.ended, c.ending, c.result, "
      "  coalesce(sum(t.executions), 0) AS executions, "
      "  coalesce(sum(t.failed), 0) AS failed, "
      "  coalesce(sum(t.cut), 0) AS cut "
      "FROM campaigns c JOIN builds b ON b.id = c.build "
      "JOIN programs p ON p.id = b.program "
      "LEFT JOIN batches t ON t.campaign = c.id "
      "GROUP BY c.id ORDER BY c.started DESC, c.id DESC LIMIT ?");
  if (!query) return query.error();
  query->Bind(uint64_t{limit});
  std::vector<StoredCampaign> campaigns;
  while (true) {
    const Result<bool> row = query->Next();
    if (!row) return row.error();
    if (!*row) return campaigns;
    const Result<Json> setting = ParseJson(query->Text("setting"));
    StoredCampaign campaign = {
        .uuid = query->Text("id"),
        .build = {.program = query->Text("path"),
                  .build_id = query->Text("build_id"),
                  .instrumented = query->Flag("instrumented"),
                  .num_sites = query->Number("num_sites")},
        .setting = setting ? *setting : Json::object(),
        .started_ms = query->Number("started"),
        .ended_ms = {},
        .ending = query->Text("ending"),
        .executions = query->Number("executions"),
        .failed = query->Number("failed"),
        .cut = query->Number("cut")};
    if (!query->IsNull("result")) {
      Result<Json> result = ParseJson(query->Text("result"));
      if (result) campaign.result = *std::move(result);
    }
    Result<std::vector<Batch>> batches = BatchesOf(database_, campaign.uuid);
    if (!batches) return batches.error();
    campaign.batches = *std::move(batches);
    if (!query->IsNull("ended")) campaign.ended_ms = query->Number("ended");
    campaigns.push_back(std::move(campaign));
  }
}

}  // namespace fairlead::store
