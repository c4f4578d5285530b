// Explanations beside findings.

#include "base/text.h"
#include "store/blob.h"
#include "store/finding_json.h"
#include "store/sqlite_store.h"

namespace fairlead::store {
namespace {

using finding::Explanation;

Json ExplanationJson(const Explanation& explanation) {
  Json json = {{"before", finding::SizeJson(explanation.before)},
               {"after", finding::SizeJson(explanation.after)},
               {"executions", explanation.executions},
               {"fibers", finding::CountJson(explanation.fibers)},
               {"threads", finding::CountJson(explanation.threads)},
               {"witness", WitnessJson(explanation.witness)}};
  if (explanation.witness.schedule) {
    json["schedule"] = trace::PrintSchedule(*explanation.witness.schedule, {});
  }
  if (explanation.ordering) {
    json["ordering"] = finding::OrderingJson(*explanation.ordering);
  }
  return json;
}

Json PartOf(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() ? Json() : *found;
}

// None where it makes no sense: the finding is told without it.
std::optional<Explanation> FromUntrusted(const Json& json) {
  if (!json.is_object()) return {};
  const Json schedule = PartOf(json, "schedule");
  const Json witness = PartOf(json, "witness");
  if (!schedule.is_string() || !witness.is_object()) return {};
  Result<trace::Schedule> parsed =
      trace::ParseScheduleUntrusted(schedule.get<std::string>());
  Result<finding::Witness> read = WitnessFromUntrusted(witness);
  if (!parsed || !read) return {};
  Explanation explanation = {
      .before = finding::SizeFromUntrusted(PartOf(json, "before")),
      .after = finding::SizeFromUntrusted(PartOf(json, "after")),
      .fibers = finding::CountFromUntrusted(PartOf(json, "fibers")),
      .threads = finding::CountFromUntrusted(PartOf(json, "threads")),
      .witness = *std::move(read)};
  const Json executions = PartOf(json, "executions");
  if (executions.is_number_unsigned()) {
    explanation.executions = executions.get<uint64_t>();
  }
  explanation.witness.schedule = *std::move(parsed);
  if (json.contains("ordering")) {
    Result<finding::Ordering> ordering =
        finding::OrderingFromJsonUntrusted(json["ordering"]);
    if (ordering) explanation.ordering = *std::move(ordering);
  }
  return explanation;
}

}  // namespace

Status SqliteStore::Explain(FindingId id, const Explanation& explanation) {
  Result<Query> update = database_.Prepare(
      "UPDATE findings SET explanation = ?1 WHERE id = (SELECT "
      "coalesce(n.same_as, n.id) FROM findings n "
      "WHERE ?2 IN (n.number, n.predicted_as))");
  if (!update) return update.error();
  update->BindBlob(Compress(JsonText(ExplanationJson(explanation))));
  return update->Bind(static_cast<uint64_t>(id)).Run();
}

std::optional<Explanation> SqliteStore::ExplanationFromUntrusted(
    const std::string& blob) {
  if (blob.empty()) return {};
  const Result<std::string> text = DecompressUntrusted(blob);
  if (!text) return {};
  const Result<Json> json = ParseJson(*text);
  if (!json) return {};
  return FromUntrusted(*json);
}

}  // namespace fairlead::store
